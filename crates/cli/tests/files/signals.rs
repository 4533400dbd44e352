//! What remains of a run that a signal ends.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process};

use crate::default_signals::end_programs;
use crate::{Folder, NAMED, has_unfinished_file, piped, text, wait_until};

const SQUARES: &str = "eval a*a --bits 64 --in a=- --out out";

/// A run that waits for standard input and has its unfinished file.
fn start(folder: &Folder, command: &mut Command) -> Child {
    let child = piped(command);
    wait_until("the unfinished file", || has_unfinished_file(&child, folder));
    child
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// The signal is what ends the run, so that a shell shows 128 plus its number: 143 for SIGTERM, 130 for
/// SIGINT, 129 for SIGHUP.
#[test]
fn a_signal_ends_the_run_and_leaves_nothing() {
    let with_name = [Signal::TERM, Signal::INT, Signal::HUP];
    let without = [Signal::TERM, Signal::INT, Signal::HUP, Signal::KILL, Signal::ABORT, Signal::QUIT];
    end_programs(&[&with_name[..], &[Signal::QUIT]].concat());
    for (is_named, signals) in [(false, &without[..]), (true, &with_name[..])] {
        for &signal in signals {
            let folder = Folder::new(&[]);
            let mut command = folder.shell("ulimit -c 0", SQUARES);
            if is_named {
                command.env(NAMED, "1");
            }
            let mut child = start(&folder, &mut command);
            assert_eq!(folder.names().len(), usize::from(is_named), "{signal:?}");
            // The end of standard input would end the run, too.
            let input = child.stdin.take();
            send(&child, signal);
            assert_eq!(
                child.wait().unwrap().signal(),
                Some(signal.as_raw()),
                "{signal:?}, named: {is_named}"
            );
            assert_eq!(folder.names(), [""; 0], "{signal:?}, named: {is_named}");
            drop(input);
        }
    }
}

#[test]
fn a_shell_sees_143_for_sigterm() {
    let folder = Folder::new(&[]);
    for is_named in [false, true] {
        // The shell starts the program in the background, and asks for its status.
        let script = format!("exec 3<&0; \"$0\" {SQUARES} --backend cpu <&3 & echo $!; wait $!; echo $?");
        let mut command = Command::new("sh");
        command.args(["-c", &script, crate::PROGRAM]).current_dir(folder.0.path());
        if is_named {
            command.env(NAMED, "1");
        }
        let mut shell = piped(&mut command);
        let mut line = String::new();
        let mut lines = std::io::BufReader::new(shell.stdout.take().unwrap());
        std::io::BufRead::read_line(&mut lines, &mut line).unwrap();
        let process = line.trim().parse().unwrap();
        wait_until("the unfinished file", || crate::process_has_unfinished_file(process, &folder));
        kill_process(Pid::from_raw(process.cast_signed()).unwrap(), Signal::TERM).unwrap();
        line.clear();
        std::io::BufRead::read_line(&mut lines, &mut line).unwrap();
        assert_eq!(line, "143\n", "named: {is_named}");
        shell.wait().unwrap();
    }
}

/// As under `nohup`: a signal that is ignored at the start stays ignored.
#[test]
fn nohup_survives_sighup() {
    for is_named in [false, true] {
        let folder = Folder::new(&[]);
        let mut command = folder.shell("trap '' HUP", SQUARES);
        if is_named {
            command.env(NAMED, "1");
        }
        let mut child = start(&folder, &mut command);
        send(&child, Signal::HUP);
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"3\n").unwrap();
        send(&child, Signal::HUP);
        input.write_all(b"4\n").unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
        assert_eq!(folder.text("out"), "9\n10\n");
        assert_eq!(folder.names(), ["out"]);
    }
}
