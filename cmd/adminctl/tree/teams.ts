import { teamBindingName } from '../../../apis/iam/teambinding/schema.js';
import type { FoundMember, FoundTeam, LeftOut } from './found.js';
import { leftOut } from './found.js';
import type { People } from './people.js';
import type { Teams } from './permissions.js';
import { teamSpec } from './specs.js';
import { integer, text } from './values.js';
import { uidOfPath } from './walk.js';

interface Made {
  readonly name: string;
  readonly origin: string;
  readonly spec: object;
}

const ADMIN = 4;

/** The teams of a tree. One that the server has already, by its title, keeps the name that it has there. */
export class TreeTeams implements Teams {
  readonly #teams: readonly (FoundTeam & { readonly name: string })[];
  readonly #people: People;

  constructor(found: readonly FoundTeam[], people: People) {
    this.#people = people;
    this.#teams = found.map((team) => ({
      ...team,
      name: people.team({ uid: team.uid, title: team.title }) ?? (team.uid || uidOfPath(team.title)),
    }));
  }

  get objects(): readonly Made[] {
    return this.#teams.map((team) => ({ name: team.name, origin: team.origin, spec: teamSpec(team) }));
  }

  named({
    uid,
    id,
    title,
  }: {
    readonly uid: string;
    readonly id: number | undefined;
    readonly title: string;
  }): string | undefined {
    const by = (is: (team: FoundTeam) => boolean): string | undefined => this.#teams.find(is)?.name;
    return (
      (uid && by((team) => team.uid === uid)) ||
      (title && by((team) => team.title === title)) ||
      (id === undefined ? undefined : by((team) => team.id === id))
    );
  }

  /** The bindings of the members, and who cannot be one. */
  members(found: readonly FoundMember[]): { readonly bindings: readonly Made[]; readonly unknown: readonly LeftOut[] } {
    const all = found.map((member) => this.#member(member));
    return {
      bindings: all.filter((one): one is Made => 'spec' in one),
      unknown: all.filter((one): one is LeftOut => 'reason' in one),
    };
  }

  #member({ origin, value, directory }: FoundMember): Made | LeftOut {
    const [id, uid] = [integer(value, 'teamId'), text(value, 'teamUid')];
    const beside = directory === '' ? undefined : this.#teams.find((team) => team.directory === directory)?.name;
    const team = beside ?? this.named({ uid, id, title: '' });
    if (team === undefined) return leftOut(origin, `the tree has no file of the team ${uid || id}`);
    const login = text(value, 'login');
    const user = this.#people.user({ uid: text(value, 'userUid'), title: login });
    if (user === undefined) return leftOut(origin, `the user ${login}: ${this.#people.unknown}`);
    const permission = integer(value, 'permission') === ADMIN ? 'admin' : 'member';
    return {
      name: teamBindingName(team, user),
      origin,
      spec: { teamRef: { name: team }, userRef: { name: user }, permission },
    };
  }
}
