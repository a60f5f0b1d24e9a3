import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { ApiError } from '../../lib/api.js';
import { resources } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import { me } from '../../lib/session.js';
import { useTitles } from '../../lib/table-titles.js';
import { Failure, Notice, Skeleton } from '../../ui/states.js';
import { type BindingSpec, needed, reviewOf } from '../folders/access/entries.js';
import type { Subject } from '../folders/access/subjects.js';

/** What somebody has on a folder or a dashboard, as the server tells it. */
interface Reviewed {
  readonly title: string;
  readonly level?: string;
  readonly serverAdministrator?: boolean;
  readonly refusal?: 'disabled' | 'private';
  readonly entries: readonly Entry[];
}

/** One thing that gives access. */
export interface Entry {
  readonly subject: Subject;
  readonly title: string;
  readonly level: string;
  readonly placeTitle?: string;
  readonly binding?: { readonly spec: BindingSpec };
}

interface Props {
  readonly namespace: string;
  readonly subject: Subject;
  /** What people call the subject. `You` for the caller. */
  readonly title: string;
  readonly kind: 'folders' | 'dashboards';
  readonly object: string;
}

/** Says in a sentence what somebody may do with a folder or a dashboard, and by what. */
export function Answer({ namespace, subject, title, kind, object }: Props) {
  const scope = { [kind === 'folders' ? 'folder' : 'dashboard']: object };
  const { state, reload } = useLoad(
    (signal) => reviewOf<Reviewed>(namespace, { scope, subject }, signal),
    [namespace, subject.kind, subject.name, kind, object],
  );
  const { value, error } = state.value;
  if (error instanceof ApiError && error.code === 404)
    return (
      <Notice>There is no {kind === 'folders' ? 'folder' : 'dashboard'} called so, or you may not view it.</Notice>
    );
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  if (value === undefined) return <Skeleton rows={1} label="Asking what they may do" />;
  const href = hrefOf(kind, namespace, object);
  return <Sentence who={title} subject={subject} about={value} href={href} namespace={namespace} />;
}

/** The page of a folder or a dashboard. */
export function hrefOf(kind: Props['kind'], namespace: string, object: string): string {
  if (kind === 'folders') return `${places.folders(object)}?tab=permissions`;
  const resource = resources.value.find((one) => one.resource === kind);
  return resource === undefined ? places.kinds() : places.object(resource, namespace, object);
}

const VERBS: Readonly<Record<string, string>> = { View: 'view', Edit: 'edit', Admin: 'administer' };

/** `view`, or `view, and has the role Auditor`. */
export function levelWords(level: string): string {
  const [first = '', ...roles] = level.split(' and ');
  const verb = VERBS[first];
  const custom = verb === undefined ? level : roles.join(' and ');
  return [...(verb === undefined ? [] : [verb]), ...(custom === '' ? [] : [`has the role ${custom}`])].join(', and ');
}

const REFUSALS = {
  disabled: 'the account is disabled',
  private: 'it, or a folder above it, is private, so that the roles of the organization do not count',
} as const;

interface SentenceProps {
  readonly who: string;
  readonly subject: Subject;
  readonly about: Reviewed;
  readonly href: string;
  readonly namespace: string;
}

function Sentence({ who, subject, about, href, namespace }: SentenceProps) {
  const { level = '', entries, serverAdministrator, refusal, title } = about;
  const [first = '', ...roles] = level.split(' and ');
  const object = (
    <Link href={href} dir="auto">
      {title}
    </Link>
  );
  const subjectWords = <strong dir="auto">{subject.kind === 'Team' ? `The team ${who}` : who}</strong>;
  const isYou = who === 'You';
  const titleOf = useTitles(needed('iam', 'roles'), namespace, rolesIn(entries));
  if (level === '')
    return (
      <p class="access-sentence refused" aria-live="polite">
        {subjectWords} {isYou ? 'have' : 'has'} no access to {object}
        {refusal === undefined ? '' : `: ${REFUSALS[refusal]}`}.
      </p>
    );
  const verb = VERBS[first];
  const has = isYou ? 'you have' : 'has';
  const [reason, ...others] =
    serverAdministrator === true ? ['administrator of the server'] : reasonsOf(entries, subject, titleOf, has);
  const custom = verb === undefined ? level : roles.join(' and ');
  return (
    <div aria-live="polite">
      <p class="access-sentence">
        {subjectWords}{' '}
        {verb === undefined ? (
          <>
            {isYou ? 'have' : 'has'} the role {titleOf(custom)} on {object}
          </>
        ) : (
          <>
            may {verb} {object}
          </>
        )}
        {reason !== undefined && `: ${reason}`}.
      </p>
      {others.length > 0 && <p class="muted">Also: {others.join('; ')}.</p>}
    </div>
  );
}

/** Why, the highest level first. Each is enough for its level. */
export function reasonsOf(
  entries: readonly Entry[],
  subject: Subject | undefined,
  titleOf: (role: string) => string,
  has: 'has' | 'you have' = 'has',
): readonly string[] {
  return entries.map((entry) => {
    const { title, placeTitle, binding } = entry;
    const isOwn =
      entry.subject.kind === (subject?.kind ?? 'User') && entry.subject.name === (subject?.name ?? me.peek()?.uid);
    const given = binding === undefined ? '' : `${levelOf(binding.spec, titleOf)} ${whereOf(binding.spec, placeTitle)}`;
    if (entry.subject.kind === 'BasicRole' && given === '') return `${has} the role ${title} in the organization`;
    if (isOwn) return `${has} ${given}`;
    return entry.subject.kind === 'Team'
      ? `member of the team ${title}, which has ${given}`
      : `${has} the role ${title}, which has ${given}`;
  });
}

/** The names of the custom roles that give something. */
export function rolesIn(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ binding }) => (binding?.spec.roleRef.kind === 'Role' ? [binding.spec.roleRef.name] : []));
}

function levelOf({ roleRef: { kind, name } }: BindingSpec, titleOf: (role: string) => string): string {
  return kind === 'Role' ? `the role ${titleOf(name)}` : name;
}

function whereOf({ scope }: BindingSpec, title: string | undefined): string {
  if (scope === undefined) return 'in the whole organization';
  return `on ${title ?? scope.folder ?? scope.dashboard ?? 'it'}`;
}
