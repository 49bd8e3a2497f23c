//! The search for the weights of a fit.

use anyhow::{Context, Result, anyhow};
use argmin::core::{CostFunction, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;

/// Maximum number of steps; the search ends earlier if the cost no longer decreases.
const STEPS: u64 = 200;

/// The parameters with the smallest cost, by L-BFGS from `start` on. The search ends when a step changes the cost by less
/// than `tolerance`.
///
/// # Errors
///
/// The search fails, which would be a bug.
pub(crate) fn minimise<P>(problem: P, start: Vec<f64>, tolerance: f64) -> Result<Vec<f64>>
where
    P: CostFunction<Param = Vec<f64>, Output = f64>
        + Gradient<Param = Vec<f64>, Gradient = Vec<f64>>,
{
    let search = LBFGS::new(MoreThuenteLineSearch::new(), 12)
        .with_tolerance_cost(tolerance)
        .map_err(|error| anyhow!("{error}"))?;
    let result = Executor::new(problem, search)
        .configure(|state| state.param(start).max_iters(STEPS))
        .run()
        .map_err(|error| anyhow!("the weights could not be fitted: {error}"))?;
    let best = result.state().get_best_param().cloned();
    best.context("the weights could not be fitted: no step was taken")
}
