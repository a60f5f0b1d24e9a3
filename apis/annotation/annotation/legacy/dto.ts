import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { avatarUrl } from '../../../iam/legacy/formats.js';
import { loginOf } from '../../../iam/legacy/people.js';
import { shownEmail } from '../../../iam/legacy/visibility.js';
import type { UserSpec } from '../../../iam/user/schema.js';
import { endOf } from '../facets.js';
import { type Annotation, annotationsOf } from './lookup.js';

/** What answers have of an annotation, and callers send back. */
export const ANNOTATION_ANSWERED: readonly string[] = [
  'id',
  'alertId',
  'alertName',
  'dashboardUID',
  'dashboardId',
  'panelId',
  'userId',
  'userUID',
  'login',
  'userName',
  'email',
  'avatarUrl',
  'newState',
  'prevState',
  'created',
  'updated',
  'time',
  'timeEnd',
  'text',
  'tags',
  'data',
];

export type AnnotationDto = Readonly<Record<string, unknown>>;

/** Returns a function that translates annotations. It looks up each author, dashboard and alert rule once. */
export function annotationDtos(call: LegacyCall): (annotation: Annotation) => AnnotationDto {
  const annotations = annotationsOf(call);
  const { createdBy, updatedTimestamp } = annotations.kind.ownedKeys;
  const author = remembered((identity: string) => authorDto(call, identity));
  const dashboard = remembered((uid: string) => dashboardDto(call, uid));
  const alert = remembered((id: number) => alertDto(call, id));
  return ({ metadata, spec }) => {
    const { text, time, tags = [], dashboardUID = '', panelID, alertID, newState, prevState, data } = spec;
    const created = Date.parse(metadata.creationTimestamp ?? '');
    return present({
      id: annotations.idOf({ metadata } as Annotation),
      alertId: alertID ?? 0,
      ...(alertID !== undefined && alert(alertID)),
      ...(dashboardUID !== '' && dashboard(dashboardUID)),
      panelId: panelID,
      ...author(metadata.annotations?.[createdBy] ?? ''),
      newState,
      prevState,
      created,
      updated: Date.parse(metadata.annotations?.[updatedTimestamp] ?? '') || created,
      time,
      timeEnd: endOf(spec),
      text,
      tags: tags.length === 0 ? undefined : tags,
      data,
    });
  };
}

function remembered<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

/** Leaves out what is not set. */
function present(dto: AnnotationDto): AnnotationDto {
  return Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined && value !== ''));
}

/** The members about the author. Some clients read `login` and others `userName`. */
function authorDto(call: LegacyCall, identity: string): AnnotationDto {
  const [, kind = '', name = ''] = /^([^:]*):(.*)$/s.exec(identity) ?? [];
  const objects =
    kind === 'user' ? call.objects<UserSpec>('iam/User') : call.objects<Partial<UserSpec>>('iam/ServiceAccount');
  const author = objects.find(name);
  const login = loginOf(call, identity);
  if (author === undefined) return identity === '' ? {} : { login, userName: login };
  const email = shownEmail(call, name, author.spec?.email ?? '');
  return { userId: objects.idOf(author), userUID: name, login, userName: login, email, avatarUrl: avatarUrl(email) };
}

function dashboardDto(call: LegacyCall, uid: string): AnnotationDto {
  const dashboards = call.hasKind('dashboard/Dashboard') ? call.objects('dashboard/Dashboard') : undefined;
  const dashboard = dashboards?.find(uid);
  return { dashboardUID: uid, ...(dashboards && dashboard && { dashboardId: dashboards.idOf(dashboard) }) };
}

/** The name of the alert rule, for callers who may view the rule. */
function alertDto(call: LegacyCall, id: number): AnnotationDto {
  if (!call.hasKind('rules.alerting/AlertRule')) return {};
  const rules = call.objects<{ readonly title?: string }>('rules.alerting/AlertRule');
  const rule = rules.findById(id);
  return rule !== undefined && rules.may('alert.rules:read', rule) ? { alertName: rule.spec?.title } : {};
}
