import type { Comparable } from '../comparable.js';
import { withKnownManagers } from './known-managers.js';
import { DEFINITIONS, type Step } from './steps.js';

/** A difference that is intended. */
export interface Known {
  readonly name: string;
  /** The page that has the reason. */
  readonly where: string;
  /** The two answers without this difference. Undefined if they do not have it. */
  hide(step: Step, ours: Comparable, theirs: Comparable): readonly [Comparable, Comparable] | undefined;
}

const messageOf = ({ body }: Comparable): string =>
  String((body as { readonly message?: unknown } | undefined)?.message ?? '');
const causesIn = ({ body }: Comparable): unknown =>
  (body as { readonly details?: { readonly causes?: unknown } } | undefined)?.details?.causes;

/** Whether the causes of an answer have this text. */
function hasCause(answer: Comparable, text: RegExp): boolean {
  return text.test(JSON.stringify(causesIn(answer) ?? ''));
}

const isWithoutVersion = (answer: Comparable): boolean =>
  hasCause(answer, /metadata\.resourceVersion: Invalid value: 0: must be specified/);

const warningsIn = ({ headers }: Comparable): readonly string[] => (headers['warning'] ?? []) as readonly string[];
const isLostByGo = (warning: string): boolean =>
  /unknown field .*\.(items|additionalProperties|additionalItems|dependencies)\b/.test(warning);
const isOfPatch = (answer: Comparable): boolean => answer.status === 422 && hasCause(answer, /patch: Invalid value/);

const isAboutNull = (answer: Comparable): boolean => hasCause(answer, /Invalid value: \\"null\\"/);
const isOfInput = (answer: Comparable): boolean =>
  hasCause(answer, /Invalid value: Invalid input|received null|and not null/);

const conflictsIn = (answer: Comparable): readonly string[] => (causesIn(answer) ?? []) as readonly string[];
const isOfStatus = (cause: string): boolean => cause.startsWith('FieldManagerConflict .status');
const isAboutStatus = (answer: Comparable): boolean => conflictsIn(answer).some(isOfStatus);

function hasConflictsOf(ours: Comparable, theirs: Comparable): boolean {
  const own = conflictsIn(ours).filter((cause) => !cause.includes('with subresource "scale"'));
  const others = conflictsIn(theirs).filter((cause) => !isOfStatus(cause));
  return JSON.stringify(own) === JSON.stringify(others);
}

const fieldOf = (cause: string): string => cause.split('Invalid value: ')[0] ?? cause;

/** Whether the causes are the same, but for those that are cut or left out here because they are too long. */
function isCut(ours: Comparable, theirs: Comparable): boolean {
  const [own, others] = [conflictsIn(ours), conflictsIn(theirs)];
  if (own.some((cause) => cause.includes('there are more problems'))) return true;
  const isSame = (cause: string, i: number): boolean =>
    cause === others[i] || (cause.endsWith('…') && (others[i] ?? '').startsWith(fieldOf(cause)));
  return own.length === others.length && own.some((cause) => cause.endsWith('…')) && own.every(isSame);
}

function withoutWarnings(answer: Comparable): Comparable {
  const { warning: _, ...headers } = answer.headers;
  return { ...answer, headers };
}

// Control characters and characters outside of ASCII.
const isStrange = (text: string): boolean => /[^ -~]|\\x/.test(text);
function isOfAnotherType({ body }: Step): boolean {
  const { kind, apiVersion } = (body ?? {}) as { readonly kind?: string; readonly apiVersion?: string };
  return kind === 'Other' || apiVersion?.endsWith('/v9') === true;
}
const isAboutMetadata = (answer: Comparable): boolean => hasCause(answer, /must result in valid metadata/);
const isNotKept = (answer: Comparable): boolean => hasCause(answer, /the schema of the definition does not keep/);

/** Hides a difference: both answers are that of this server. */
type Same = readonly [Comparable, Comparable];
const same = (isIt: boolean, ours: Comparable): Same | undefined => (isIt ? [ours, ours] : undefined);

export const KNOWN: readonly Known[] = [
  {
    name: 'long messages are cut',
    where: 'docs/security.md, the bounds on what is told about a wrong body',
    hide: (_step, ours, theirs) =>
      same(Array.isArray(causesIn(ours)) && ours.status === theirs.status && isCut(ours, theirs), ours),
  },
  {
    name: 'a handler panics there',
    where: 'no server should',
    hide: (_step, ours, theirs) => same(theirs.status === 0, ours),
  },
  {
    name: 'what is not served is refused with a Status, not with a text',
    where: 'docs/wire-contract.md, section 3',
    hide: (_step, ours, theirs) =>
      same(theirs.status === 404 && String(theirs.headers['content-type']).startsWith('text/plain'), ours) &&
      (ours.status === 404 ? [ours, ours] : undefined),
  },
  {
    name: 'a subresource that a version does not have is not found in other words',
    where: 'the words are those of any path that is not served',
    hide: ({ path }, ours, theirs) =>
      same(ours.status === 404 && [400, 404].includes(theirs.status) && /\/(status|scale)$/.test(path), ours),
  },
  {
    name: 'a member of a definition with a wrong type is Invalid, not a bad request',
    where: 'docs/wire-contract.md, section 5.2',
    hide: ({ path }, ours, theirs) =>
      same(path.startsWith(DEFINITIONS) && ours.status === 422 && [400, 500].includes(theirs.status), ours),
  },
  {
    name: 'a name that is taken is refused before what is wrong with the values',
    where: 'registry/write/create.ts',
    hide: ({ method }, ours, theirs) => same(method === 'POST' && ours.status === 409 && theirs.status === 422, ours),
  },
  {
    name: 'what does not fit the schema is no error of the server',
    where: 'docs/wire-contract.md, section 5.7',
    hide: (_, ours, theirs) => same(theirs.status === 500 && ours.status < 500, ours),
  },
  {
    name: 'a body is checked before the object is looked for',
    where: 'docs/wire-contract.md, section 5.2',
    hide: ({ method }, ours, theirs) =>
      same(
        ['PUT', 'PATCH'].includes(method) && [400, 422].includes(ours.status) && [404, 409].includes(theirs.status),
        ours,
      ),
  },
  {
    name: 'a PUT needs no resourceVersion',
    where: 'docs/wire-contract.md, section 5.2',
    hide: ({ method }, ours, theirs) => same(method === 'PUT' && isWithoutVersion(theirs), ours),
  },
  {
    name: 'a wrong scale is refused in other words',
    where: 'docs/wire-contract.md, section 5.2',
    hide: ({ path }, ours, theirs) =>
      same(
        path.endsWith('/scale') && [400, 422].includes(ours.status) && [400, 409, 422, 500].includes(theirs.status),
        ours,
      ),
  },
  {
    name: 'a wrong kind or version in the body is a bad request, without other warnings',
    where: 'docs/wire-contract.md, section 5.2',
    hide: (step, ours, theirs) =>
      same(ours.status === 400 && ([400, 422].includes(theirs.status) || isOfAnotherType(step)), ours),
  },
  {
    name: 'unknown fields are found at any depth',
    where: 'Go loses them below members that may have several types, such as items',
    hide: (_step, ours, theirs) => {
      const warning = warningsIn(ours).filter((text) => !isLostByGo(text) || warningsIn(theirs).includes(text));
      return [{ ...ours, headers: { ...ours.headers, warning: warning.length === 0 ? undefined : warning } }, theirs];
    },
  },
  {
    name: 'what a patch makes is refused in the name of the object',
    where: 'docs/wire-contract.md, section 5.7',
    hide: ({ method }, ours, theirs) => same(method === 'PATCH' && ours.status === 422 && isOfPatch(theirs), ours),
  },
  {
    name: 'an empty map or list that is applied stays one, and does not become null',
    where: 'docs/wire-contract.md, section 5.7',
    hide: ({ headers = {} }, ours, theirs) =>
      same(headers['content-type'] === APPLY && theirs.status === 422 && isAboutNull(theirs), ours),
  },
  {
    name: 'null in a list or a map, and a member of a type that no schema has, is refused',
    where: 'Go reads null as an empty value, and ignores items that are neither a schema nor a list',
    hide: ({ path }, ours) => same(path.startsWith(DEFINITIONS) && ours.status === 422 && isOfInput(ours), ours),
  },
  {
    name: 'the status in a configuration of the object has no conflicts, because it is not applied',
    where: 'docs/adr/0028-field-management.md',
    hide: ({ headers = {}, path }, ours, theirs) =>
      same(
        headers['content-type'] === APPLY &&
          !path.endsWith('/status') &&
          theirs.status === 409 &&
          isAboutStatus(theirs) &&
          (ours.status !== 409 || hasConflictsOf(ours, theirs)),
        ours,
      ),
  },
  {
    name: 'conflicts of a scale name the version of the object',
    where: 'its fields are those of the object',
    hide: ({ path }, ours, theirs) => same(path.endsWith('/scale') && hasCause(theirs, /using autoscaling\/v1/), ours),
  },
  {
    name: 'a scale that the schema does not keep is refused',
    where: 'apis/apiextensions/customresource/scale.ts',
    hide: ({ path }, ours, theirs) => same(path.endsWith('/scale') && theirs.status === 200 && isNotKept(ours), ours),
  },
  {
    name: 'a refusal has other warnings',
    where: 'docs/wire-contract.md, section 5.2',
    hide: (_step, ours, theirs) =>
      ours.status >= 400 && theirs.status >= 400 ? [withoutWarnings(ours), withoutWarnings(theirs)] : undefined,
  },
  {
    name: 'warnings are ASCII',
    where: 'registry/rest/answer/warnings.ts',
    hide: (_step, ours, theirs) =>
      warningsIn(theirs).some(isStrange) ? [withoutWarnings(ours), withoutWarnings(theirs)] : undefined,
  },
  {
    name: 'the rules of a schema that is wrong are not told of',
    where: 'the schema is refused',
    hide: ({ path }, ours, theirs) =>
      same(
        path.startsWith(DEFINITIONS) && ours.status === 422 && hasCause(theirs, /unable to convert structural schema/),
        ours,
      ),
  },
  {
    name: 'a default of a type that does not exist is not checked',
    where: 'the type is refused',
    hide: ({ path }, ours, theirs) =>
      same(path.startsWith(DEFINITIONS) && ours.status === 422 && hasCause(theirs, /must be of type \.:/), ours),
  },
  {
    name: 'a default of the wrong type for kind or apiVersion is refused in other words',
    where: 'the words are those of any default',
    hide: ({ path }, ours, theirs) =>
      same(
        path.startsWith(DEFINITIONS) && ours.status === 422 && theirs.status === 422 && isAboutMetadata(theirs),
        ours,
      ),
  },
  {
    name: 'why a JSON patch fails is told',
    where: 'pkg/kube/patch/json-patch.ts',
    hide: ({ headers = {} }, ours, theirs) =>
      same(
        headers['content-type'] === JSON_PATCH &&
          ours.status === 422 &&
          messageOf(theirs).startsWith('the server rejected') &&
          causesIn(ours) === undefined,
        ours,
      ),
  },
];

const [APPLY, JSON_PATCH] = ['application/apply-patch+yaml', 'application/json-patch+json'];

interface Hidden {
  readonly answers: readonly [Comparable, Comparable];
  /** Whether an intended difference has changed only one of the servers. */
  readonly isApart: boolean;
}

/** Hides the intended differences, and counts them by name. */
export function hidden(step: Step, answers: readonly [Comparable, Comparable], count: (name: string) => void): Hidden {
  let [ours, theirs] = answers;
  for (const { name, hide } of KNOWN) {
    const found = hide(step, ours, theirs);
    if (found === undefined) continue;
    if (JSON.stringify([ours, theirs]) !== JSON.stringify(found)) count(name);
    [ours, theirs] = found;
  }
  const managers = withKnownManagers(step, ours, theirs);
  if (managers === undefined) return { answers: [ours, theirs], isApart: false };
  count(managers.name);
  return { answers: [ours, managers.theirs], isApart: true };
}
