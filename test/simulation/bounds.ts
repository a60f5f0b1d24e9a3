/** Whether the work ends within this time. */
export async function isDoneWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer));
}

/** The result of the work. Throws if it takes longer. */
export async function within<T>(milliseconds: number, what: string, work: Promise<T>): Promise<T> {
  if (await isDoneWithin(milliseconds, work)) return work;
  throw new Error(`${what} took longer than ${milliseconds} ms`);
}
