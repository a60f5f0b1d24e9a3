import { useEffect, useRef } from 'preact/hooks';
import './language.js';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { theme } from '../../app/theme.js';
import { timeOfDay } from '../../lib/formats.js';

interface Props {
  readonly title: string;
  readonly unit: string;
  /** What the value means. */
  readonly hint?: string;
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
}

const HEIGHT = 120;
/** The width of a plot, in seconds. */
const WINDOW = 3600;

/** A small plot over time. The newest value is beside the title, for people who cannot see the line. */
export function Plot({ title, unit, hint, times, values }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const colours = theme.value;
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const made = new uPlot(optionsOf(element), [[], []], element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [colours]);
  useEffect(() => {
    plot.current?.setData([[...times], [...values]]);
  }, [times, values, colours]);
  const last = values.findLast((one) => one !== null);
  return (
    <section class="card plot" aria-label={title}>
      <div class="row apart">
        <h2 class="plot-title">{title}</h2>
        <strong class="plot-value">{last === undefined || last === null ? '–' : `${shown(last)} ${unit}`}</strong>
      </div>
      <div ref={box} class="plot-box" aria-hidden="true" />
      {hint !== undefined && <p class="hint">{hint}</p>}
    </section>
  );
}

function shown(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: value < 10 ? 1 : 0 });
}

function windowTo(end = Date.now() / 1000): [number, number] {
  return [end - WINDOW, end];
}

function optionsOf(element: HTMLElement): uPlot.Options {
  // A canvas needs the computed colour. The property may be a function such as light-dark().
  const colour = (name: string): string => {
    element.style.color = `var(${name})`;
    const { color } = getComputedStyle(element);
    element.style.color = '';
    return color;
  };
  const hour = (at: number): string => timeOfDay(new Date(at * 1000));
  const axis = {
    stroke: colour('--text-muted'),
    grid: { stroke: colour('--border'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      // With a single value, uPlot would choose another range.
      x: { range: ({ data }) => windowTo(data[0].at(-1)) },
      y: { range: (_, _low, high) => [0, Math.max(high * 1.1, 1)] },
    },
    axes: [
      { ...axis, size: 28, values: (_, times) => times.map(hour) },
      { ...axis, size: 44 },
    ],
    series: [{}, { stroke: colour('--accent'), fill: colour('--accent-soft'), width: 1.5, spanGaps: false }],
  };
}
