import type { MirrorFigure, Mirrors } from '../../apis/mirror/job/mirrors.js';
import type { Metrics } from '../../pkg/http/metrics/metrics.js';

/** What the mirrors of this server do, by `namespace/name`. Only the elected server has some. */
export function mirrorMetrics({ gauges }: Pick<Metrics, 'gauges'>, mirrors: Mirrors | undefined): void {
  const by = (read: (figure: MirrorFigure) => number) => (): readonly (readonly [string, number])[] =>
    (mirrors?.figures() ?? []).map((figure) => [figure.name, read(figure)] as const);
  gauges(
    'apiserver_mirror_lag_seconds',
    'How long ago the oldest change came that has not arrived at the other server.',
    'mirror',
    by(({ lag }) => lag),
    'max',
  );
  gauges(
    'apiserver_mirror_pending_objects',
    'Objects that have not arrived at the other server.',
    'mirror',
    by(({ pending }) => pending),
  );
  gauges(
    'apiserver_mirror_failed_objects',
    'Those of them that the other server has refused.',
    'mirror',
    by(({ failed }) => failed),
  );
}
