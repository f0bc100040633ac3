"""Prices and discounts."""
from description import Input, workload

xp = None


def market(size):
    n = size.elements(67_108_864)
    return [Input("float32", (n,), 7919, 10007, 5, 30), Input("float32", (n,), 104729, 9973, 1, 100),
            Input("float32", (n,), 1299709, 9967, 0.25, 10)]


@workload("Black-Scholes", "finance", split=(0, 0, 0), tolerance=2e-5, inputs=market)
def black_scholes(s, strike, t):
    rate, volatility = 0.02, 0.3
    root = xp.sqrt(t)
    d1 = (xp.log(s / strike) + (rate + 0.5 * volatility * volatility) * t) / (volatility * root)
    d2 = d1 - volatility * root
    return s * xp.ndtr(d1) - strike * xp.exp(-rate * t) * xp.ndtr(d2)


@workload("present value of annuities", "finance", split=(0, 0, 0), tolerance=1e-12,
          inputs=lambda size: [Input("float64", (size.elements(16_777_216),), 7919, 10007, 100, 1000),
                               Input("float64", (size.elements(16_777_216),), 104729, 9973, 0.001, 0.08),
                               Input("float64", (size.elements(16_777_216),), 1299709, 40, 1, 41)])
def annuity(payment, rate, years):
    return payment * (1 - xp.exp(-years * xp.log1p(rate))) / rate


@workload("Asian option, paths of 64 steps", "finance", tolerance=2e-5,
          inputs=lambda size: [Input("float32", (size.elements(524_288), 64), 7919, 1000003, -1.7, 1.7)])
def asian_option(shocks):
    log_price = xp.cumsum(0.0001 + 0.02 * shocks, axis=1)
    average = xp.mean(100 * xp.exp(log_price), axis=1)
    return 0.98 * xp.mean(xp.maximum(average - 100, 0.0))
