import { member } from '../../../pkg/dashboards/model.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import { type Found, leftOut } from './found.js';
import * as legacy from './legacy.js';
import { DATA_SOURCES, NOTIFICATIONS, unknownKind } from './reasons.js';
import { text } from './values.js';

const GROUP = 'grizzly.grafana.com/';

export const isGrizzly = (value: unknown): boolean => text(value, 'apiVersion').startsWith(GROUP);

const LEFT_OUT: Readonly<Record<string, string>> = {
  Datasource: DATA_SOURCES,
  AlertContactPoint: NOTIFICATIONS,
  AlertNotificationPolicy: NOTIFICATIONS,
  AlertNotificationTemplate: NOTIFICATIONS,
};

/** A resource of Grizzly. The name of the resource is the uid of the object. */
export function grizzlyIn(value: unknown, origin: string): readonly Found[] {
  const [kind, spec, metadata] = [text(value, 'kind'), member(value, 'spec'), member(value, 'metadata')];
  const uid = text(metadata, 'name');
  const whole = { ...(isObject(spec) ? spec : {}), uid };
  switch (kind) {
    case 'DashboardFolder':
      return [legacy.folderIn(whole, origin)];
    case 'Dashboard': {
      const folder = text(metadata, 'folder');
      const found = legacy.dashboardIn(whole, { origin, place: folder === '' ? {} : { uid: folder } });
      if (found !== undefined) return [found];
      throw new Error(`${origin}: this is no dashboard: its spec has no title.`);
    }
    case 'LibraryElement':
      return [legacy.elementIn(whole, { origin, place: {} }, uid)];
    case 'AlertRuleGroup':
      return legacy.rulesOfGroup(spec, origin);
    default:
      return [leftOut(origin, LEFT_OUT[kind] ?? unknownKind(kind))];
  }
}
