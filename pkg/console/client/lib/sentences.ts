const NAME = '(?: "(?:[^"\\\\]|\\\\.)*")?';
const FORBIDDEN = new RegExp(`^(\\S+)${NAME} is forbidden: ([\\s\\S]*)$`);
const DENIED = /^User "(?:[^"\\]|\\.)*" cannot (\S+) resource "([^"]+)"/;
/** What a move is refused for that would give the caller rights (`registry/authorization/move-escalation.ts`). */
const GAINS = /: they have more permissions in the destination than on it: /;
const OTHER = /^User "(?:[^"\\]|\\.)*" (?:cannot|may not) ([^:]*)/;

/** Verbs of the API in words for people, where they differ. */
export const VERBS: Readonly<Record<string, string>> = {
  get: 'see',
  list: 'see',
  watch: 'see',
  update: 'change',
  patch: 'change',
  deletecollection: 'delete',
};

/**
 * A refusal of the resource API in words for people: without the names of kinds in the API, the login of the caller and
 * the permissions, which only administrators know. Every other message stays.
 */
export function refusalSentence(message: string): string {
  const [, , detail] = FORBIDDEN.exec(message) ?? [];
  if (detail === undefined) return message;
  if (GAINS.test(detail)) return MORE_THERE;
  const [, verb = '', resource] = DENIED.exec(detail) ?? [];
  if (resource !== undefined) return `You may not ${objectsOf(verb, resource)}. ${ASK}`;
  const [, what] = OTHER.exec(detail) ?? [];
  if (what !== undefined) return `You may not ${what.replace(/ to "(?:[^"\\]|\\.)*"$/, ' here')}. ${ASK}`;
  return `${detail.charAt(0).toUpperCase()}${detail.slice(1).replace(/[^.!?]$/, '$&.')}`;
}

const MORE_THERE =
  'You may do more in that folder than you may here, so the move would give you rights. Ask who administers it to move it.';
const ASK = 'An administrator can give you the right.';

/** `see folders here`, `restore folders here`. */
function objectsOf(verb: string, resource: string): string {
  const [plural = '', subresource] = resource.split('/');
  if (subresource === 'restore') return `restore ${plural} here`;
  if (subresource !== undefined) return `use “${subresource}” of ${plural} here`;
  return `${VERBS[verb] ?? verb} ${plural} here`;
}
