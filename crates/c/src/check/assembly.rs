//! Assembly. It is not modelled, except where there is none: an empty text is a barrier for the compiler, which hides from it
//! where a value comes from.

use super::{Checked, Checker};
use crate::typed::{Expr, ExprKind, Stmt, StmtKind};
use lang_c::ast::{AsmStatement, GnuAsmOperand, GnuExtendedAsmStatement};
use lang_c::span::{Node, Span};

impl Checker<'_> {
    pub(super) fn asm_statement(&mut self, asm: &AsmStatement, span: Span) -> Checked<StmtKind> {
        let is_blank =
            |parts: &[String]| parts.iter().all(|part| part.trim_matches(['"', ' ', 'L']).is_empty());
        let statements = match asm {
            AsmStatement::GnuBasic(text) => is_blank(&text.node).then(Vec::new),
            AsmStatement::GnuExtended(asm) if is_blank(&asm.template.node) => self.barrier(asm, span)?,
            AsmStatement::GnuExtended(_) => None,
        };
        Ok(match statements {
            Some(statements) => StmtKind::Block(statements),
            None => StmtKind::Unsupported("assembly".to_owned()),
        })
    }

    /// What an empty text does: the inputs are evaluated, an output that is an input as well keeps its value, and one that
    /// shares the place of an input gets the value of that. `None` if an output gets a value from nowhere.
    fn barrier(&mut self, asm: &GnuExtendedAsmStatement, span: Span) -> Checked<Option<Vec<Stmt>>> {
        let mut values = Vec::with_capacity(asm.inputs.len());
        for input in &asm.inputs {
            values.push(Some(self.expression(&input.node.variable_name)?));
        }
        let mut statements = Vec::new();
        for (position, output) in asm.outputs.iter().enumerate() {
            let place = self.assignable(&output.node.variable_name, "output operand")?;
            if place.effects() || self.is_reversed(&place) || !self.types.is_scalar(place.ty) {
                return Ok(None);
            }
            let ty = place.ty;
            let value = if constraint(output).starts_with('+') {
                Expr::new(&self.types, ExprKind::Load(place.clone()), ty, span)
            } else {
                let same = |input: &Node<GnuAsmOperand>| constraint(input) == position.to_string();
                let Some(index) = asm.inputs.iter().position(same) else { return Ok(None) };
                match values[index].take() {
                    // With several outputs the order would matter.
                    Some(value) if value.ty == ty && asm.outputs.len() == 1 => value,
                    _ => return Ok(None),
                }
            };
            let assign = Expr::new(&self.types, ExprKind::Assign(place, Box::new(value)), ty, span);
            statements.push(Stmt { kind: StmtKind::Expr(assign), span });
        }
        let inputs = values.into_iter().flatten();
        let mut all: Vec<Stmt> = inputs.map(|value| Stmt { kind: StmtKind::Expr(value), span }).collect();
        all.append(&mut statements);
        Ok(Some(all))
    }
}

/// The constraint of an operand without quotes and hints.
fn constraint(operand: &Node<GnuAsmOperand>) -> String {
    let parts = operand.node.constraints.node.iter();
    parts.flat_map(|part| part.trim_matches('"').chars()).filter(|c| !matches!(c, '%' | '&' | ' ')).collect()
}
