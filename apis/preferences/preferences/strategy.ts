import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import type { KindEnvironment } from '../../../registry/kinds/kind.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { withAnnotation } from '../../../registry/kinds/with-annotation.js';
import { dashboardNumbers } from '../../dashboard-numbers.js';
import type { PreferencesSpec } from './schema.js';

const THEMES = ['', 'light', 'dark', 'system'];
const ZONES = ['', 'utc', 'browser'];

type Preferences = KubeObject<PreferencesSpec>;

/**
 * A home dashboard must be one that the writer may view, unless the preferences may wait for it. It stays when the
 * dashboard is deleted, because it may come back from the trash. A later dashboard of the same name is the home
 * dashboard only after a write by somebody who may view it.
 */
export function preferencesStrategy({ domain }: KindEnvironment): Strategy<PreferencesSpec> {
  const { resource: dashboards, key, idOf } = dashboardNumbers(domain);
  const isMissing = (home: string, { visible, namespace }: WriteContext): boolean =>
    home !== '' && visible(dashboards, namespace, home) === undefined;
  /** The id of the dashboard that is meant. Empty: the first one that has the name. */
  const chosen = (object: Preferences, old: Preferences | undefined, ctx: WriteContext): string | undefined => {
    const home = homeIn(object);
    if (home === '') return undefined;
    const before = home === homeIn(old) ? old?.metadata.annotations?.[key] : '';
    const now = idOf(ctx.reader, ctx.namespace, home);
    return now === before || isMissing(home, ctx) ? before : now;
  };
  const withNotedIds = (object: Preferences, old: Preferences | undefined, ctx: WriteContext): Preferences =>
    withAnnotation(object, key, chosen(object, old, ctx));
  return {
    prepareForCreate: (object, ctx) => withNotedIds(object, undefined, ctx),
    prepareForUpdate: withNotedIds,
    validate: (object, old, ctx) => {
      const home = homeIn(object);
      const causes = [...wrongValues(object.spec)];
      if (home === old?.spec?.homeDashboardUID || !isMissing(home, ctx)) return causes;
      const missing = noDashboard(home, dashboards);
      if (ctx.mayWait?.(object, { resource: dashboards, name: home }) !== true) return [...causes, missing];
      ctx.warn?.(`${missing.field}: ${missing.message}. It is shown when it is there`);
      return causes;
    },
  };
}

function homeIn(object: Preferences | undefined): string {
  return object?.spec?.homeDashboardUID ?? '';
}

function noDashboard(name: string, dashboards: string): StatusCause {
  const message = `Not found: there is no ${JSON.stringify(name)} in ${dashboards}`;
  return { reason: 'FieldValueNotFound', message, field: 'spec.homeDashboardUID' };
}

function wrongValues(spec: PreferencesSpec | undefined): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  if (spec?.theme !== undefined && !THEMES.includes(spec.theme)) causes.push(wrong('spec.theme', 'Invalid theme'));
  if (spec?.timezone !== undefined && !isTimezone(spec.timezone))
    causes.push(wrong('spec.timezone', 'Invalid timezone: expected utc, browser or a name such as Europe/Berlin'));
  return causes;
}

function wrong(field: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', message, field };
}

function isTimezone(name: string): boolean {
  if (ZONES.includes(name)) return true;
  // Intl accepts offsets such as +01:00, but these are not names of zones.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
