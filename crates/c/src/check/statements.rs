//! Statements.

use super::{Checked, Checker, fold};
use crate::typed::{Block, BlockId, Case, Expr, ExprKind, LValue, LValueKind, Stmt, StmtKind};
use lang_c::ast::{
    BlockItem, DoWhileStatement, Expression, ForInitializer, ForStatement, IfStatement, Label,
    LabeledStatement, Statement, SwitchStatement, WhileStatement,
};
use lang_c::span::{Node, Span};

/// Statements of a block; what follows the declaration of an array of variable length, or of a variable with the
/// attribute `cleanup`, is in a block inside.
#[derive(Default)]
struct NestedStatements {
    statements: Vec<Stmt>,
    /// Arrays of variable length live in the whole block.
    keeps_arrays: bool,
    /// What came before, the block around, and the new block with its first position, from the outermost on.
    outer: Vec<(Vec<Stmt>, Option<BlockId>, BlockId, Span)>,
}

impl Checker<'_> {
    /// The items of a block in the scope at hand. Errors are collected, and the rest goes on.
    pub(super) fn block_items(&mut self, items: &[Node<BlockItem>]) -> Vec<Stmt> {
        let mut nested = NestedStatements::default();
        for item in items {
            match self.block_item(item) {
                Ok(new) => self.append(&mut nested, new),
                Err(diagnostic) => self.diagnostics.push(diagnostic),
            }
        }
        self.close(nested)
    }

    /// Appends statements. An array of variable length lives from its declaration on: a jump back to before it leaves
    /// its block, which holds all that follows.
    fn append(&mut self, nested: &mut NestedStatements, statements: Vec<Stmt>) {
        for statement in statements {
            if let StmtKind::Cleanup(call) = &statement.kind
                && let Some(context) = &mut self.context
            {
                let parent = context.block;
                let block = BlockId::from_index(self.blocks.len());
                self.blocks.push(Block { parent, objects: Vec::new(), cleanup: Some(call.clone()) });
                context.block = Some(block);
                nested.outer.push((std::mem::take(&mut nested.statements), parent, block, statement.span));
            }
            if let StmtKind::DeclareVariable(object, _) = statement.kind
                && !nested.keeps_arrays
                && let Some(context) = &mut self.context
            {
                let parent = context.block;
                if let Some(home) = self.objects[object.index()].block {
                    self.blocks[home.index()].objects.retain(|&other| other != object);
                }
                let block = BlockId::from_index(self.blocks.len());
                self.blocks.push(Block { parent, objects: vec![object], cleanup: None });
                self.objects[object.index()].block = Some(block);
                context.block = Some(block);
                nested.outer.push((std::mem::take(&mut nested.statements), parent, block, statement.span));
            }
            nested.statements.push(statement);
        }
    }

    fn close(&mut self, nested: NestedStatements) -> Vec<Stmt> {
        let mut statements = nested.statements;
        for (mut outer, parent, block, span) in nested.outer.into_iter().rev() {
            outer.push(Stmt { kind: StmtKind::Scope(block, statements), span });
            statements = outer;
            if let Some(context) = &mut self.context {
                context.block = parent;
            }
        }
        statements
    }

    fn block_item(&mut self, item: &Node<BlockItem>) -> Checked<Vec<Stmt>> {
        match &item.node {
            BlockItem::Declaration(declaration) => self.declaration(declaration),
            BlockItem::StaticAssert(assertion) => self.static_assert(assertion).map(|()| Vec::new()),
            BlockItem::Statement(statement) => Ok(vec![self.statement(statement)?]),
        }
    }

    /// Checks statements in a block of their own, in a new scope.
    fn in_block(
        &mut self,
        work: impl FnOnce(&mut Self) -> Checked<StmtKind>,
        span: Span,
    ) -> Checked<StmtKind> {
        let (kind, block) = self.with_block(|checker| checker.in_scope(work));
        Ok(match block.filter(|block| !self.blocks[block.index()].objects.is_empty()) {
            Some(block) => match kind? {
                StmtKind::Block(statements) => StmtKind::Scope(block, statements),
                kind => StmtKind::Scope(block, vec![Stmt { kind, span }]),
            },
            None => kind?,
        })
    }

    /// Runs `work` where variables live in a new block, if inside of a function.
    fn with_block<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, Option<BlockId>) {
        let Some(context) = &mut self.context else { return (work(self), None) };
        let (parent, home) = (context.block, context.home);
        let block = BlockId::from_index(self.blocks.len());
        self.blocks.push(Block { parent, objects: Vec::new(), cleanup: None });
        (context.block, context.home) = (Some(block), Some(block));
        let result = work(self);
        if let Some(context) = &mut self.context {
            (context.block, context.home) = (parent, home);
        }
        (result, Some(block))
    }

    /// Runs `work` in a new scope.
    fn in_scope<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let visible = self.context.as_ref().and_then(|context| context.visible);
        self.scopes.enter();
        let result = work(self);
        self.scopes.leave();
        if let Some(context) = &mut self.context {
            context.visible = visible;
        }
        result
    }

    pub(super) fn statement(&mut self, node: &Node<Statement>) -> Checked<Stmt> {
        let span = node.span;
        let kind = match &node.node {
            Statement::Labeled(labeled) => self.labeled(labeled)?,
            Statement::Compound(items) => {
                self.in_block(|checker| Ok(StmtKind::Block(checker.block_items(items))), span)?
            }
            Statement::Expression(None) => StmtKind::Empty,
            Statement::Expression(Some(expression)) => match self.computed_goto(expression)? {
                Some(goto) => goto,
                None => StmtKind::Expr(self.expression(expression)?),
            },
            Statement::If(statement) => self.in_block(|checker| checker.if_statement(statement), span)?,
            Statement::Switch(statement) => {
                self.in_block(|checker| checker.switch_statement(statement), span)?
            }
            Statement::While(statement) => {
                self.in_block(|checker| checker.while_statement(statement), span)?
            }
            Statement::DoWhile(statement) => {
                self.in_block(|checker| checker.do_statement(statement), span)?
            }
            Statement::For(statement) => self.in_block(|checker| checker.for_statement(statement), span)?,
            Statement::Goto(label) => match &mut self.context {
                Some(context) => StmtKind::Goto(context.goto(&label.node.name, label.span)),
                None => return Err(self.error(span, "goto outside of a function")),
            },
            Statement::Continue => {
                self.require_inside(
                    |context| context.continuable,
                    "continue statement not within a loop",
                    span,
                )?;
                StmtKind::Continue
            }
            Statement::Break => {
                self.require_inside(
                    |context| context.breakable,
                    "break statement not within loop or switch",
                    span,
                )?;
                StmtKind::Break
            }
            Statement::Return(value) => self.return_statement(value.as_deref(), span)?,
            Statement::Asm(asm) => self.asm_statement(&asm.node, span)?,
        };
        Ok(Stmt { kind, span })
    }

    fn require_inside(
        &self,
        depth: impl Fn(&super::FunctionContext) -> usize,
        message: &str,
        span: Span,
    ) -> Checked<()> {
        match self.context.as_ref().map(depth) {
            Some(depth) if depth > 0 => Ok(()),
            _ => Err(self.error(span, message)),
        }
    }

    fn condition(&mut self, node: &Node<Expression>) -> Checked<Expr> {
        let condition = self.expression(node)?;
        self.require_scalar(&condition)?;
        Ok(condition)
    }

    /// A statement in a scope of its own.
    fn scoped(&mut self, node: &Node<Statement>) -> Checked<Stmt> {
        let kind =
            self.in_block(|checker| checker.statement(node).map(|statement| statement.kind), node.span)?;
        Ok(Stmt { kind, span: node.span })
    }

    fn while_statement(&mut self, statement: &Node<WhileStatement>) -> Checked<StmtKind> {
        let condition = self.condition(&statement.node.expression)?;
        Ok(StmtKind::While(condition, Box::new(self.loop_body(&statement.node.statement)?)))
    }

    fn do_statement(&mut self, statement: &Node<DoWhileStatement>) -> Checked<StmtKind> {
        let body = self.loop_body(&statement.node.statement)?;
        Ok(StmtKind::DoWhile(Box::new(body), self.condition(&statement.node.expression)?))
    }

    fn loop_body(&mut self, node: &Node<Statement>) -> Checked<Stmt> {
        self.nested(1, 1, |checker| checker.scoped(node))
    }

    /// Runs `work` with more statements around that `break` and `continue` can leave.
    fn nested<T>(&mut self, breakable: usize, continuable: usize, work: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(context) = &mut self.context {
            context.breakable += breakable;
            context.continuable += continuable;
        }
        let result = work(self);
        if let Some(context) = &mut self.context {
            context.breakable -= breakable;
            context.continuable -= continuable;
        }
        result
    }

    fn if_statement(&mut self, statement: &Node<IfStatement>) -> Checked<StmtKind> {
        let condition = self.condition(&statement.node.condition)?;
        let then = self.scoped(&statement.node.then_statement)?;
        let otherwise = match &statement.node.else_statement {
            Some(statement) => Some(Box::new(self.scoped(statement)?)),
            None => None,
        };
        Ok(StmtKind::If(condition, Box::new(then), otherwise))
    }

    fn for_statement(&mut self, statement: &Node<ForStatement>) -> Checked<StmtKind> {
        let span = statement.node.initializer.span;
        let mut nested = NestedStatements::default();
        let first = match &statement.node.initializer.node {
            ForInitializer::Empty => Vec::new(),
            ForInitializer::Expression(expression) => {
                let expression = self.expression(expression)?;
                vec![Stmt { kind: StmtKind::Expr(expression), span }]
            }
            ForInitializer::Declaration(declaration) => self.declaration(declaration)?,
            ForInitializer::StaticAssert(assertion) => {
                self.static_assert(assertion)?;
                Vec::new()
            }
        };
        self.append(&mut nested, first);
        let condition = match &statement.node.condition {
            Some(condition) => Some(self.condition(condition)?),
            None => None,
        };
        let step = match &statement.node.step {
            Some(step) => Some(self.expression(step)?),
            None => None,
        };
        let body = self.loop_body(&statement.node.statement)?;
        let kind = StmtKind::For(condition, step, Box::new(body));
        self.append(&mut nested, vec![Stmt { kind, span: statement.span }]);
        Ok(StmtKind::Block(self.close(nested)))
    }

    fn switch_statement(&mut self, statement: &Node<SwitchStatement>) -> Checked<StmtKind> {
        let value = self.expression(&statement.node.expression)?;
        if !self.types.is_integer(value.ty) {
            return Err(self.error(value.span, "switch quantity is not an integer"));
        }
        let value = self.promote(value);
        if let Some(context) = &mut self.context {
            context.enter_switch(value.ty);
        }
        let body = self.nested(1, 0, |checker| checker.scoped(&statement.node.statement));
        let switch = self.context.as_mut().and_then(|context| context.switches.pop());
        let cases = switch.map(|switch| switch.cases).unwrap_or_default();
        Ok(StmtKind::Switch { value, cases, body: Box::new(body?) })
    }

    fn labeled(&mut self, labeled: &Node<LabeledStatement>) -> Checked<StmtKind> {
        let mut statements = Vec::new();
        let mut current = labeled;
        // Long runs of `case a: case b: ...` nest in the syntax.
        loop {
            let kind = self.label(&current.node.label)?;
            statements.push(Stmt { kind, span: current.node.label.span });
            match &current.node.statement.node {
                Statement::Labeled(next) => current = next,
                _ => break,
            }
        }
        statements.push(self.statement(&current.node.statement)?);
        Ok(StmtKind::Block(statements))
    }

    fn label(&mut self, label: &Node<Label>) -> Checked<StmtKind> {
        match &label.node {
            Label::Identifier(name) => {
                let placed = self.context.as_mut().and_then(|context| context.place_label(&name.node.name));
                match placed {
                    Some(id) => Ok(StmtKind::Label(id)),
                    None => Err(self.error(name.span, format!("duplicate label '{}'", name.node.name))),
                }
            }
            Label::Case(value) => self.case(value, value, label.span),
            Label::CaseRange(range) => self.case(&range.node.low, &range.node.high, label.span),
            Label::Default => self.default_label(label.span),
        }
    }

    fn case(&mut self, low: &Node<Expression>, high: &Node<Expression>, span: Span) -> Checked<StmtKind> {
        let Some(ty) = self.context.as_ref().and_then(|c| c.switches.last()).map(|switch| switch.ty) else {
            return Err(self.error(span, "case label not within a switch statement"));
        };
        let (low, high) = (self.case_value(low, ty)?, self.case_value(high, ty)?);
        let number = |bits| fold::number(&self.types, bits, ty).unwrap_or(i128::MAX);
        let (from, to) = (number(low), number(high));
        let switch = self.context.as_mut().and_then(|context| context.switches.last_mut());
        if switch.is_some_and(|switch| !switch.add_range(from, to)) {
            return Err(self.error(span, "duplicate case value"));
        }
        let Some(context) = &mut self.context else { return Ok(StmtKind::Empty) };
        context.jump_from_switch();
        let Some(switch) = context.switches.last_mut() else { return Ok(StmtKind::Empty) };
        switch.cases.push(Case { low, high, span });
        Ok(StmtKind::Case(switch.cases.len() - 1))
    }

    fn case_value(&mut self, node: &Node<Expression>, ty: crate::types::TypeId) -> Checked<u128> {
        let value = self.expression(node)?;
        self.require_integer(&value)?;
        match self.convert(value, ty).constant() {
            Some(bits) => Ok(bits),
            None => Err(self.error(node.span, "case label does not reduce to an integer constant")),
        }
    }

    fn default_label(&mut self, span: Span) -> Checked<StmtKind> {
        let problem = match self.context.as_mut() {
            Some(context) if !context.switches.is_empty() => {
                context.jump_from_switch();
                let duplicate =
                    context.switches.last_mut().is_some_and(|s| std::mem::replace(&mut s.has_default, true));
                duplicate.then_some("multiple default labels in one switch")
            }
            _ => Some("'default' label not within a switch statement"),
        };
        match problem {
            Some(message) => Err(self.error(span, message)),
            None => Ok(StmtKind::Default),
        }
    }

    fn return_statement(&mut self, value: Option<&Node<Expression>>, span: Span) -> Checked<StmtKind> {
        let Some(result) = self.context.as_ref().map(|context| context.result) else {
            return Err(self.error(span, "return outside of a function"));
        };
        let Some(node) = value else { return Ok(StmtKind::Return(None)) };
        let value = self.expression(node)?;
        if self.types.is_void(result) || self.types.is_void(value.ty) {
            // gcc warns about a value in a void function, and about `return f();` with a void `f`.
            return Ok(StmtKind::Block(vec![
                Stmt { kind: StmtKind::Expr(value), span },
                Stmt { kind: StmtKind::Return(None), span },
            ]));
        }
        Ok(StmtKind::Return(Some(self.assign_convert(value, result, node.span)?)))
    }

    /// `({ ... })`: the value is that of the last statement if it is an expression.
    pub(super) fn statement_expression(&mut self, node: &Node<Statement>) -> Checked<Expr> {
        let Statement::Compound(items) = &node.node else {
            return Err(self.error(node.span, "expected a block in a statement expression"));
        };
        if self.context.is_none() {
            return Err(self.error(node.span, "statement expression outside of a function"));
        }
        let (statements, block) =
            self.with_block(|checker| checker.in_scope(|checker| checker.statement_items(items)));
        let (statements, value) = statements;
        let mut expr = self.statements_value(statements, value, node.span);
        if let ExprKind::Statements(_, _, place) = &mut expr.kind {
            *place = block.filter(|block| !self.blocks[block.index()].objects.is_empty());
        }
        Ok(expr)
    }

    /// The items of a statement expression, and its value: that of the last one is computed while all that is declared
    /// lives, and before anything is cleaned up.
    fn statement_items(&mut self, items: &[Node<BlockItem>]) -> (Vec<Stmt>, Option<Expr>) {
        let mut nested = NestedStatements { keeps_arrays: true, ..NestedStatements::default() };
        for item in items {
            match self.block_item(item) {
                Ok(new) => self.append(&mut nested, new),
                Err(diagnostic) => self.diagnostics.push(diagnostic),
            }
        }
        let mut value = match nested.statements.pop() {
            Some(Stmt { kind: StmtKind::Expr(value), .. }) => Some(value),
            last => {
                nested.statements.extend(last);
                None
            }
        };
        if !nested.outer.is_empty()
            && let Some(computed) = value.take()
        {
            let (ty, span) = (computed.ty, computed.span);
            let kind = if self.types.is_void(ty) {
                StmtKind::Expr(computed)
            } else {
                let object = self.hidden_object("<value>", ty, span);
                let place = LValue { kind: LValueKind::Object(object), ty };
                let assign = ExprKind::Assign(place.clone(), Box::new(computed));
                value = Some(Expr::new(&self.types, ExprKind::Load(place), ty, span));
                StmtKind::Expr(Expr::new(&self.types, assign, ty, span))
            };
            nested.statements.push(Stmt { kind, span });
        }
        (self.close(nested), value)
    }
}
