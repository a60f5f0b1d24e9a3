import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ApiError, call } from '../../lib/api.js';
import { useRepeated } from '../../lib/repeat.js';
import { type Sample, samplesOf, sumOf } from './metrics.js';

/** Milliseconds between two reads of the metrics, and how many are kept: ten minutes of them. */
const EVERY = 5_000;
const KEPT = 120;

/** The values of the plots at one moment. `null`: unknown. */
export interface Moment {
  /** Seconds since 1970. */
  readonly at: number;
  readonly requests: number | null;
  readonly stall: number | null;
  readonly memory: number | null;
  readonly processor: number | null;
}

export interface Recording {
  readonly moments: readonly Moment[];
  readonly samples: readonly Sample[];
  readonly error?: unknown;
}

const recording = signal<Recording>({ moments: [], samples: [] });

interface Totals {
  readonly at: number;
  readonly requests: number | undefined;
  readonly processor: number | undefined;
}

/** Reads the metrics again and again while a component is shown. */
export function useRecording(): Recording {
  const before = useRef<Totals | undefined>(undefined);
  useRepeated(EVERY, async (signal) => {
    before.current = await look(before.current, signal);
    return !isRefused(recording.peek().error);
  });
  return recording.value;
}

async function look(before: Totals | undefined, signal: AbortSignal): Promise<Totals | undefined> {
  try {
    const { body } = await call<string>('GET', '/metrics', { accept: 'text/plain', signal });
    const samples = samplesOf(body);
    const totals: Totals = {
      at: Date.now() / 1000,
      requests: sumOf(samples, 'apiserver_request_total'),
      processor: sumOf(samples, 'process_cpu_seconds_total'),
    };
    const moments = [...recording.peek().moments, momentOf(samples, totals, before)].slice(-KEPT);
    recording.value = { moments, samples };
    return totals;
  } catch (error) {
    if (!signal.aborted) recording.value = { ...recording.peek(), error };
    return undefined;
  }
}

/** Whether the server refuses this caller. Then it is not asked again until the page is opened again. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.code < 500 && error.code !== 429;
}

function momentOf(samples: readonly Sample[], totals: Totals, before: Totals | undefined): Moment {
  const rate = (now: number | undefined, then: number | undefined): number | null =>
    before === undefined || now === undefined || then === undefined || now < then
      ? null
      : (now - then) / (totals.at - before.at);
  const stall = sumOf(samples, 'apiserver_event_loop_longest_stall_seconds');
  const memory = sumOf(samples, 'process_resident_memory_bytes');
  const processor = rate(totals.processor, before?.processor);
  return {
    at: totals.at,
    requests: rate(totals.requests, before?.requests),
    stall: stall === undefined ? null : stall * 1000,
    memory: memory === undefined ? null : memory / 2 ** 20,
    processor: processor === null ? null : processor * 100,
  };
}
