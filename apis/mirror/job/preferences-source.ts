import { isEffective } from '../../../registry/kinds/ready-condition.js';
import { nameOf } from '../../../registry/read/reader.js';
import { dashboardNumbers } from '../../dashboard-numbers.js';
import { NAMESPACE_PREFERENCES, ownerOf, type PreferencesSpec } from '../../preferences/preferences/schema.js';
import type { SourceOptions } from './folders.js';
import { hashOf } from './memory.js';
import { type Key, keyOf } from './resources.js';
import type { Teams } from './teams.js';

/** Preferences of the organization or of a team, as the other server is to have them. */
export interface PreferencesNode {
  readonly name: string;
  /** metadata.name of the team. Absent: they are those of the organization. */
  readonly team: string | undefined;
  readonly home: string | undefined;
  readonly content: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

/** The preferences of a namespace and its teams at one state. Those of users are their own. */
export class Preferences {
  readonly #options: SourceOptions;
  readonly #teams: Teams;

  constructor(options: SourceOptions, teams: Teams) {
    this.#options = options;
    this.#teams = teams;
  }

  /** Absent: there are no such preferences, or they are not selected. */
  node(name: string): PreferencesNode | undefined {
    const { reader, resources, namespace, spec } = this.#options;
    if (!spec.preferences || !this.#isSelected(name)) return undefined;
    const object = reader.get<PreferencesSpec>(resources.preferences, namespace, name);
    if (object?.spec === undefined || !isEffective(object)) return undefined;
    const { homeDashboardUID, ...others } = object.spec;
    const owner = ownerOf(name);
    const content = filled(others);
    const home = homeDashboardUID && this.#isChosen(homeDashboardUID, object.metadata.annotations);
    return {
      name,
      team: owner.kind === 'team' ? owner.name : undefined,
      home: home ? homeDashboardUID : undefined,
      content,
      hash: hashOf([content, home ? homeDashboardUID : '']),
    };
  }

  #isSelected(name: string): boolean {
    const owner = ownerOf(name);
    if (owner.kind === 'team') return this.#teams.isSelected(owner.name);
    return owner.kind === 'namespace' && name === NAMESPACE_PREFERENCES;
  }

  /** A later dashboard of the same name was not chosen. */
  #isChosen(home: string, annotations: Readonly<Record<string, string>> = {}): boolean {
    const { reader, namespace, domain } = this.#options;
    const { key, idOf } = dashboardNumbers(domain);
    const id = idOf(reader, namespace, home);
    return id !== undefined && (!annotations[key] || annotations[key] === id);
  }

  *keys(): Generator<Key, void> {
    const { reader, resources, namespace, spec } = this.#options;
    if (!spec.preferences) return;
    for (const entry of reader.inNamespace(resources.preferences, namespace))
      if (this.node(nameOf(entry)) !== undefined) yield keyOf('preferences', nameOf(entry));
  }
}

/** What is set. Some servers answer empty values for what is not. */
export function filled(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isEmpty = (one: unknown): boolean =>
    one === undefined ||
    one === null ||
    one === '' ||
    one === 0 ||
    (typeof one === 'object' && Object.keys(one).length === 0);
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [
    name,
    typeof one === 'object' && one !== null && !Array.isArray(one) ? filled(one as Record<string, unknown>) : one,
  ]);
  return Object.fromEntries(entries.filter(([, one]) => !isEmpty(one)));
}
