//! Random numbers that begin with a seed. Those without one differ from run to run, so they are not available. =>
//! Random numbers with a seed. Those without one differ between runs, and are therefore not available.

use hieratic_value::random::Random;

use super::Natives;
use crate::value::{Data, Value};
use crate::vm::{Args, Outcome, Vm};

/// The maximum number of random bytes at once.
const MAX_BYTES: usize = 1 << 20;

/// Draws from the generator that an object is.
fn draw<T>(vm: &mut Vm<'_>, a: &Args, take: impl FnOnce(&mut Random) -> T) -> Outcome<T> {
    if let Value::Object(object) = a.at(0)
        && let Data::Random(random) = &mut *object.data.borrow_mut()
    {
        // A generator that is older than the run would give other numbers to the next one.
        vm.note_change(&object.generation);
        return Ok(take(random));
    }
    Err(vm.type_error("not a generator of random numbers"))
}

pub(super) const FUNCTIONS: Natives = &[
    // A generator gets its seed, in hexadecimal digits.
    ("self.seed_random", 2, 2, |vm, _, a| {
        let digits = vm.to_s(&a.at(1))?;
        vm.steps(2_000)?;
        if let Value::Object(object) = a.at(0) {
            *object.data.borrow_mut() = Data::Random(Box::new(Random::new(&digits)));
        }
        Ok(Value::Nil)
    }),
    ("self.random_below", 2, 2, |vm, _, a| {
        let limit = vm.to_int(&a.at(1))?;
        let limit = u64::try_from(limit).map_err(|_| vm.argument_error(format!("invalid argument - {limit}")))?;
        let number = draw(vm, a, |random| random.below(limit))?;
        // A number below a 63-bit limit fits into 63 bits.
        Ok(Value::Int(number as i64))
    }),
    ("self.random_fraction", 2, 2, |vm, _, a| {
        let is_closed = a.at(1).truthy();
        let number = draw(vm, a, |random| if is_closed { random.closed_fraction() } else { random.fraction() })?;
        Ok(Value::Float(number))
    }),
    ("self.random_bytes", 2, 2, |vm, _, a| {
        let count = vm.to_count(&a.at(1), "negative string size (or size too big)")?;
        if count > MAX_BYTES {
            return Err(vm.argument_error("argument too big"));
        }
        vm.build(count)?;
        let mut bytes = vec![0; count];
        draw(vm, a, |random| random.fill(&mut bytes))?;
        Ok(Value::binary(bytes))
    }),
];
