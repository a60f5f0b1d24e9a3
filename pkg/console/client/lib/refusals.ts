import { type Resource, resources } from './discovery.js';
import { VERBS } from './sentences.js';

/** What a caller wants to do. Without a name, it is about all objects of the kind. */
export interface Wish {
  readonly verb: string;
  readonly resource: Pick<Resource, 'group' | 'resource'>;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string;
}

/** Why a caller may not do something, for people, with the way on. */
export function refusalOf({ verb, resource, name = '', subresource = '' }: Wish, isAnonymous: boolean): string {
  const known = resources.value.find((one) => one.group === resource.group && one.resource === resource.resource);
  const what = subresource === 'restore' ? 'restore' : subresource !== '' ? 'use' : (VERBS[verb] ?? verb);
  const kind = known === undefined ? resource.resource : inWords(known.kind);
  const objects =
    name === '' ? `${kind.replace(/s?$/, 's')}${known?.isNamespaced === false ? '' : ' here'}` : `this ${kind}`;
  const who = known?.isNamespaced === false ? 'the server' : 'the organization';
  return `You may not ${what} ${objects}. ${isAnonymous ? 'Sign in first.' : `Ask an administrator of ${who}.`}`;
}

/** `alert rule` for `AlertRule`, and `SSO setting` for `SSOSetting`. */
function inWords(kind: string): string {
  const words = kind.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  return words.map((word) => (/^[A-Z]+$/.test(word) ? word : word.toLowerCase())).join(' ');
}
