//! The functions that JavaScript calls. They use the arguments and streams of WASI, so that no pointers are passed.

#![allow(unsafe_code, reason = "an exported function has a name for the linker")]

use std::io;

/// Moves to the folder that the caller is in: WASI begins in the root.
fn enter_folder() -> io::Result<()> {
    match std::env::var_os("PWD") {
        Some(folder) => std::env::set_current_dir(folder),
        None => Ok(()),
    }
}

/// Answers the command line. Returns the exit status.
#[cfg(feature = "command")]
#[unsafe(no_mangle)]
extern "C" fn hieratic_run() -> i32 {
    if let Err(error) = enter_folder() {
        eprintln!("Error: the working folder cannot be entered: {error}");
        return 1;
    }
    let status = hieratic_cli::main();
    // An `ExitCode` can be compared, and not be read.
    (0..=u8::MAX).find(|number| std::process::ExitCode::from(*number) == status).unwrap_or(1).into()
}

/// Handles messages for the language server on standard input, and writes the server's. Returns 0 as long as it continues.
#[cfg(feature = "command")]
#[unsafe(no_mangle)]
extern "C" fn hieratic_editor() -> i32 {
    use std::cell::RefCell;

    use crate::editor::Editor;

    thread_local! {
        static EDITOR: RefCell<Option<Editor>> = const { RefCell::new(None) };
    }
    EDITOR.with_borrow_mut(|editor| {
        if editor.is_none()
            && let Err(error) = enter_folder()
        {
            eprintln!("Error: the working folder cannot be entered: {error}");
            return 1;
        }
        // The buffer of standard input lasts, and takes no end for the last one.
        match editor.get_or_insert_default().handle(io::stdin().lock(), io::stdout().lock()) {
            Ok(true) => 0,
            Ok(false) => 1,
            Err(error) => {
                eprintln!("Error: {error}");
                1
            }
        }
    })
}

/// Answers a request of [`lookups`](crate::lookups) on standard input. Returns 0 if there is an answer.
#[unsafe(no_mangle)]
extern "C" fn hieratic_lookups() -> i32 {
    if let Err(error) = enter_folder() {
        eprintln!("Error: the working folder cannot be entered: {error}");
        return 1;
    }
    match crate::lookups::answer_stream(&mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("Error: {error}");
            1
        }
    }
}
