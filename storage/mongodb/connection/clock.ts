import type { Document } from 'mongodb';
import type { Database } from './database.js';

/** Milliseconds between two looks at the clock of the database. */
const EVERY = 10_000;

/** Asks the primary who it is. Its answer has its time. */
export async function hello(database: Database): Promise<Document> {
  const asked = Date.now();
  const answer = await database.admin({ hello: 1 });
  const { localTime } = answer;
  if (localTime instanceof Date) database.monitor.compareClocks(localTime.getTime(), asked, Date.now());
  return answer;
}

/** Compares the clocks from time to time. Returns a function that stops it. */
export function watchClock(database: Database): () => void {
  // While the database does not answer, its time is as it was.
  const timer = setInterval(() => void hello(database).catch(() => undefined), EVERY).unref();
  return () => clearInterval(timer);
}
