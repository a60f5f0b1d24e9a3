import { Cron } from 'croner';

/** The next time of a cron expression after `from`, in milliseconds since the epoch; undefined if there is none. */
export function nextTime(expression: string, from: number): number | undefined {
  const next = cronOf(expression)?.nextRun(new Date(from));
  return next?.getTime();
}

export const isSchedule = (expression: string): boolean => cronOf(expression) !== undefined;

function cronOf(expression: string): Cron | undefined {
  try {
    return new Cron(expression, { paused: true });
  } catch {
    return undefined;
  }
}
