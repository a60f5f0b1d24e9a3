/** Waits for all, also if one fails, so that nothing goes on beside the next look. */
export async function allOf(works: readonly (() => Promise<void>)[]): Promise<void> {
  const results = await Promise.allSettled(works.map((work) => work()));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
