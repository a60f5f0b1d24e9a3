/** The result for the last argument is remembered. */
export function rememberingLast<Argument, Result>(
  make: (argument: Argument) => Result,
): (argument: Argument) => Result {
  let last: { readonly argument: Argument; readonly result: Result } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, result: make(argument) };
    return last.result;
  };
}
