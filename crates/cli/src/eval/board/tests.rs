//! Results in order, whoever computes them first, and errors that nothing hides.

use super::*;
use crate::eval::pool::Pool;
use crate::eval::results::Content;

const SECOND: Duration = Duration::from_secs(1);

/// A run with a chunk of so many instances, of which a piece has one.
fn board(instances: usize) -> Board<u64> {
    let board = Board::new(3);
    board.set_engine(Ok(Engine::cpu()));
    let pool = Arc::new(Pool::new());
    let (columns, bad) = (vec![], vec![]);
    board.push(Chunk { first: 0, instances, columns, bad, total: None, set: None, pool });
    board
}

/// The results of a piece, whose text is the number of its first instance.
fn results(piece: &Piece<u64>) -> Result<Results<u64>, CliError> {
    let contents = vec![Content::Text(vec![vec![piece.range.start as u8]])];
    let instances = piece.range.len();
    Ok(Results { instances, contents, bad_lines: None, failures: None, end: None, total: None })
}

fn next(board: &Board<u64>) -> Result<Option<u8>, String> {
    let results = board.next().transpose().map_err(|error| error.to_string())?;
    match results.as_ref().map(|results| &results.contents[..]) {
        Some([Content::Text(text)]) => Ok(Some(text[0][0])),
        _ => Ok(None),
    }
}

fn error(why: &str) -> CliError {
    CliError::Internal(why.to_owned())
}

#[test]
fn results_come_in_the_order_of_instances() {
    // Of one instance, two, and the last.
    let board = board(4);
    let first = board.take().unwrap();
    board.done(&first, results(&first), SECOND);
    board.end(Some(error("the end")));
    let others = [(); 2].map(|()| board.take().unwrap());
    assert!(board.take().is_none());
    for piece in others.iter().rev() {
        board.done(piece, results(piece), SECOND);
    }
    let found = [(); 4].map(|()| next(&board));
    assert_eq!(found, [Ok(Some(0)), Ok(Some(1)), Ok(Some(3)), Err("the end".to_owned())]);
}

#[test]
fn all_are_written_when_the_last_piece_is() {
    let board = board(1);
    board.end(None);
    let piece = board.take().unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| [(); 2].map(|()| next(&board)));
        board.done(&piece, results(&piece), SECOND);
        assert_eq!(writer.join().unwrap(), [Ok(Some(0)), Ok(None)]);
    });
}

#[test]
fn a_failure_is_not_hidden_by_what_others_still_compute() {
    let board = board(2);
    board.end(None);
    let piece = board.take().unwrap();
    board.fail(error("a panic"));
    board.done(&piece, results(&piece), SECOND);
    assert_eq!(next(&board), Err("a panic".to_owned()));
}

#[test]
fn nobody_waits_after_a_failure_or_a_stop() {
    let board = Board::<u64>::new(1);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| (board.inputs().is_none(), board.engine().is_none(), next(&board)));
        board.fail(error("a panic"));
        assert_eq!(waiting.join().unwrap(), (true, true, Err("a panic".to_owned())));
        let waiting = scope.spawn(|| board.take().is_none() && board.prepared().is_none());
        board.stop();
        assert!(waiting.join().unwrap());
    });
}
