//! The simplex algorithm: small systems by hand, random ones with their proofs.

use super::*;

fn number(n: i64) -> Shifted {
    Rational::from(n).into()
}

fn check(simplex: &mut Simplex) -> Result<(), Vec<Reason>> {
    let Ok(outcome) = simplex.check(&|| false) else { panic!("nothing stops it") };
    outcome.map_err(|conflict| {
        let mut reasons: Vec<Reason> = conflict.into_iter().map(|(reason, _)| reason).collect();
        reasons.sort_unstable();
        reasons
    })
}

#[test]
fn conflicts_are_explained_and_taken_back() {
    let mut simplex = Simplex::default();
    let [x, y] = [0, 1].map(|_| simplex.new_column(Shifted::default()));
    let sum = simplex.new_row(&[(x, 1.into()), (y, 1.into())]);
    let difference = simplex.new_row(&[(x, 1.into()), (y, (-1).into())]);
    simplex.assert(sum, Side::Lower, number(10), 0).unwrap();
    simplex.assert(difference, Side::Upper, number(2), 1).unwrap();
    assert_eq!(check(&mut simplex), Ok(()));
    simplex.push();
    simplex.assert(y, Side::Upper, number(3), 2).unwrap();
    assert_eq!(check(&mut simplex), Err(vec![0, 1, 2]));
    simplex.pop();
    simplex.assert(y, Side::Upper, number(4), 3).unwrap();
    assert_eq!(check(&mut simplex), Ok(()));
    assert_eq!([x, y].map(|var| simplex.value(var).clone()), [number(6), number(4)]);
    let crossing = simplex.assert(y, Side::Lower, number(5), 4).unwrap_err();
    assert_eq!(crossing.iter().map(|&(reason, _)| reason).collect::<Vec<_>>(), [4, 3]);
}

#[test]
fn strict_bounds_leave_room_or_none() {
    let mut simplex = Simplex::default();
    let [x, y] = [0, 1].map(|_| simplex.new_column(Shifted::default()));
    let difference = simplex.new_row(&[(x, 1.into()), (y, (-1).into())]);
    let above = Shifted { real: Rational::ZERO, delta: Rational::ONE };
    simplex.assert(difference, Side::Lower, above, 0).unwrap();
    simplex.assert(x, Side::Upper, number(0), 1).unwrap();
    assert_eq!(check(&mut simplex), Ok(()));
    simplex.assert(y, Side::Lower, number(0), 2).unwrap();
    assert_eq!(check(&mut simplex), Err(vec![0, 1, 2]));
}

/// Random systems: values are within bounds, and conflicts are certificates: the sum of the bounds, multiplied by the
/// factors, has no variables and a wrong constant.
#[test]
fn answers_carry_their_proof() {
    let mut state = 1u64;
    let mut random = move |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let (mut feasible, mut infeasible) = (0, 0);
    for _ in 0..300 {
        let mut simplex = Simplex::default();
        let base: Vec<Var> = (0..4).map(|_| simplex.new_column(Shifted::default())).collect();
        let mut forms: Vec<(Var, [i64; 4])> =
            base.iter().map(|&var| (var, std::array::from_fn(|at| i64::from(at == var)))).collect();
        for _ in 0..6 {
            let factors: [i64; 4] = std::array::from_fn(|_| random(7) as i64 - 3);
            let sum: Vec<(Var, Rational)> = base
                .iter()
                .map(|&var| (var, factors[var].into()))
                .filter(|(_, c): &(Var, Rational)| !c.is_zero())
                .collect();
            if !sum.is_empty() {
                forms.push((simplex.new_row(&sum), factors));
            }
        }
        let mut bounds: Vec<([i64; 4], Side, i64)> = Vec::new();
        let mut conflict = None;
        for _ in 0..9 {
            let (var, factors) = forms[random(forms.len() as u64) as usize];
            let (side, value) =
                (if random(2) == 0 { Side::Lower } else { Side::Upper }, random(21) as i64 - 10);
            bounds.push((factors, side, value));
            let reason = bounds.len() as Reason - 1;
            let asserted = simplex.assert(var, side, number(value), reason);
            let Ok(checked) = simplex.check(&|| false) else { panic!("nothing stops it") };
            if let Err(found) = asserted.and(checked) {
                conflict = Some(found);
                break;
            }
        }
        if let Some(conflict) = conflict {
            infeasible += 1;
            let mut sum = [Rational::ZERO; 4];
            let mut constant = Rational::ZERO;
            for (reason, factor) in conflict {
                assert!(factor.is_positive());
                let (factors, side, value) = bounds[reason as usize];
                // Upper bounds as they are, lower ones negated.
                let sign: Rational = if side == Side::Upper { 1 } else { -1 }.into();
                for (total, own) in sum.iter_mut().zip(factors) {
                    *total += &(&(&Rational::from(own) * &sign) * &factor);
                }
                constant += &(&(&Rational::from(value) * &sign) * &factor);
            }
            assert!(sum.iter().all(Rational::is_zero) && constant.is_negative(), "{sum:?} <= {constant}");
        } else {
            feasible += 1;
            for (factors, side, value) in bounds {
                let total = base.iter().zip(factors).fold(Shifted::default(), |sum, (&var, factor)| {
                    &sum + &(simplex.value(var) * &factor.into())
                });
                let holds = if side == Side::Upper { total <= number(value) } else { total >= number(value) };
                assert!(holds);
            }
        }
    }
    assert!(feasible > 30 && infeasible > 30, "{feasible} {infeasible}");
}
