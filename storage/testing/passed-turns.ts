/** The result of work, and how many turns the event loop takes meanwhile. */
export async function withTurns<Result>(
  work: () => Promise<Result>,
): Promise<readonly [result: Result, turns: number]> {
  let [turns, isDone] = [0, false];
  const turn = (): void => {
    if (isDone) return;
    turns++;
    setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    return [result, turns];
  } finally {
    isDone = true;
  }
}
