//! What a program reports when the interpreter runs it.

use aster_c::{DataModel, LoadOptions, load_text};
use aster_cfa::interpreter::{End, Interpreter, RunEvent, RunLimits, ValueRef, Watcher};
use aster_cfa::{Program, Var};
use aster_term::{Sort, TermPool, Value};

struct Reports {
    parameter: Var,
    values: Vec<u64>,
}

impl Watcher for Reports {
    fn on(&mut self, event: RunEvent<'_>) {
        if let RunEvent::Assigned { variable, value: ValueRef::BitVec(bits), .. } = event
            && variable == self.parameter
        {
            self.values.push(u64::try_from(bits.unsigned()).expect("reports have 64 bits"));
        }
    }
}

/// What the program reports, or why it could not be run to its end.
pub fn reports(name: &str, text: &str, model: DataModel) -> Result<Vec<u64>, String> {
    let mut pool = TermPool::new();
    let options = LoadOptions { data_model: model, ..LoadOptions::default() };
    let text = format!("{text}\nvoid report(unsigned long long value) {{ }}\n");
    let program = load_text(&mut pool, name, &text, &options).map_err(|error| error.render())?;
    let violations = program.validate(&pool);
    if let Some(violation) = violations.first() {
        return Err(format!("the program breaks a law: {violation:?}"));
    }
    let parameter = report_parameter(&program).ok_or("there is no `report`")?;
    let mut interpreter = Interpreter::new(&program, &pool);
    // Variables without initial value ask for inputs; all of them get zero, whatever their sort.
    let mut inputs: Vec<Value> = Vec::new();
    loop {
        let mut watcher = Reports { parameter, values: Vec::new() };
        let limits = RunLimits { max_steps: 200_000_000, ..RunLimits::default() };
        match interpreter.run(&inputs, limits, &mut watcher) {
            End::Finished | End::Halted { .. } => return Ok(watcher.values),
            End::InputsExhausted { .. } if inputs.len() < 10_000 => {
                inputs.resize(inputs.len() * 2 + 1, zero(Sort::BitVec(32))?);
            }
            End::BadInput { index, expected, .. } => inputs[index] = zero(expected)?,
            end => return Err(describe(&program, &end)),
        }
    }
}

fn zero(sort: Sort) -> Result<Value, String> {
    Value::default_of(sort).ok_or_else(|| format!("no value of sort {sort:?}"))
}

fn describe(program: &Program, end: &End) -> String {
    match end {
        End::Unsupported { what, span } => {
            format!("{} is not modelled: {what}", program.sources.position(*span))
        }
        End::Error { span, .. } => format!("{}: error reached", program.sources.position(*span)),
        other => format!("the run ended with {other:?}"),
    }
}

fn report_parameter(program: &Program) -> Option<Var> {
    let procedure = program.procedures().find(|procedure| program.procedure(*procedure).name == "report")?;
    program.procedure(procedure).parameters.first().copied()
}
