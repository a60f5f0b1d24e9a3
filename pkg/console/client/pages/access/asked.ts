import { useLocation, useSearch } from 'wouter-preact';
import type { Subject } from '../folders/access/subjects.js';

/** A question about access, as it is in the address, so that it can be sent to somebody. */
export interface Asked {
  readonly ask: 'what' | 'who';
  /** Who is asked about. Undefined for the caller. */
  readonly subject: Subject | undefined;
  /** The kind of the object: its plural, with the group if two kinds have it. */
  readonly kind: string;
  /** metadata.name of the object. Empty for the whole kind. */
  readonly object: string;
  readonly verb: string;
}

const KINDS: readonly Subject['kind'][] = ['User', 'Team', 'ServiceAccount', 'BasicRole'];

/** The question in the address, and a function that asks another one. Back leads to the one before. */
export function useAsked(): readonly [Asked, (change: Partial<Asked>) => void] {
  const [location, go] = useLocation();
  const query = new URLSearchParams(useSearch());
  const asked: Asked = {
    ask: query.get('ask') === 'who' ? 'who' : 'what',
    subject: subjectIn(query.get('subject') ?? ''),
    kind: query.get('kind') ?? 'folders',
    object: query.get('object') ?? '',
    verb: query.get('verb') ?? 'get',
  };
  return [asked, (change) => go(`${location}?${queryOf({ ...asked, ...change })}`)];
}

function subjectIn(text: string): Subject | undefined {
  const at = text.indexOf('/');
  const kind = KINDS.find((one) => one === text.slice(0, at));
  return kind === undefined ? undefined : { kind, name: text.slice(at + 1) };
}

function queryOf({ ask, subject, kind, object, verb }: Asked): URLSearchParams {
  return new URLSearchParams([
    ['ask', ask],
    ...(subject === undefined ? [] : [['subject', `${subject.kind}/${subject.name}`]]),
    ...(kind === 'folders' ? [] : [['kind', kind]]),
    ...(object === '' ? [] : [['object', object]]),
    ...(verb === 'get' || ask === 'what' ? [] : [['verb', verb]]),
  ]);
}
