import { Failure, Skeleton } from '../../ui/states.js';
import { Plot } from './plot.js';
import { useRecent } from './recorder.js';

const PER_MIB = 2 ** 20;

/** What the server did in the last hour, for those who may read its metrics. */
export function Activity() {
  const { value, error } = useRecent();
  if (error !== undefined && value === undefined) return <Failure error={error} />;
  if (value === undefined) return <Skeleton rows={6} label="Loading the last hour" />;
  const { slots, seconds } = value;
  const times = slots.map(({ at }) => at / 1000);
  const each = (read: (slot: (typeof slots)[number]) => number | undefined) => slots.map((slot) => read(slot) ?? null);
  const common = { times };
  const usual = slots.findLast(({ median }) => median !== undefined)?.median;
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      <div class="plots">
        <Plot title="Requests" unit="a second" {...common} values={each(({ requests }) => requests / seconds)} />
        <Plot
          title="Errors"
          unit="a minute"
          hint={`Answers of 5xx. ${shownSum(slots.map(({ failed }) => failed))} in this hour, and ${shownSum(slots.map(({ refused }) => refused))} refusals (4xx).`}
          {...common}
          values={each(({ failed }) => (failed * 60) / seconds)}
        />
        <Plot
          title="Latency"
          unit="ms"
          hint={`99 of 100 requests take at most so long${usual === undefined ? '' : `, and half of them ${usual * 1000} ms`}.`}
          {...common}
          values={each(({ slowest }) => (slowest === undefined ? undefined : slowest * 1000))}
        />
        <Plot
          title="Longest stall"
          unit="ms"
          hint="For so long, one step kept all requests waiting."
          {...common}
          values={each(({ stall }) => stall)}
        />
        <Plot title="Memory" unit="MiB" {...common} values={each(({ memory }) => memory / PER_MIB)} />
        <Plot title="Processor" unit="%" {...common} values={each(({ processor }) => processor * 100)} />
      </div>
      <p class="hint">The last hour of the server that answers, a point for {seconds} seconds, since it was started.</p>
    </>
  );
}

function shownSum(counts: readonly number[]): string {
  return counts.reduce((sum, count) => sum + count, 0).toLocaleString();
}
