"""Monte Carlo: every quantity from its definition, by draws in R^d with a full covariance.

`sampling.estimate` evaluates an estimator; each theorem's file holds its estimators by name.
"""
