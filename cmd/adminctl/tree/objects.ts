import { basicRolesAnnotation, NO_BASIC_ROLES } from '../../../apis/folder/basic-roles.js';
import { folderAnnotation } from '../../../apis/folder/folder/schema.js';
import { canonicalJson } from '../../../pkg/kube/json/canonical.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import type { Located, Manifest } from '../gitops/documents.js';
import { AccessRules } from './access-rules.js';
import { refuseCollisions } from './collisions.js';
import { contentWith, elementsOf, type InputValues, withoutExport } from './dashboards.js';
import { Folders, uidOfFile } from './folders.js';
import type { Found, FoundDashboard, FoundElement, LeftOut, Place } from './found.js';
import { leftOut } from './found.js';
import type { People } from './people.js';
import { dashboardSpec, elementSpec, folderSpec, ruleSpec } from './specs.js';
import { TreeTeams } from './teams.js';

export interface TreeOptions {
  /** The domain of the groups of the server. */
  readonly domain: string;
  /** The folder for what lies in none. */
  readonly folder?: string | undefined;
  readonly inputs: InputValues;
}

/** What a tree becomes. */
export interface TreeObjects {
  readonly objects: readonly Located[];
  readonly leftOut: readonly LeftOut[];
  readonly warnings: readonly string[];
}

type Of<What extends Found['what']> = Extract<Found, { readonly what: What }>;

/** The objects of a tree, in the order in which they can be written. Throws errors for people that name the files. */
export function objectsOf(found: readonly Found[], options: TreeOptions, people: People): TreeObjects {
  const made = new Making(found, options, people);
  made.run();
  refuseCollisions(made.objects, folderAnnotation(options.domain));
  return made;
}

class Making implements TreeObjects {
  readonly objects: Located[] = [];
  readonly leftOut: LeftOut[];
  readonly warnings: string[] = [];
  readonly #found: readonly Found[];
  readonly #options: TreeOptions;
  readonly #folders: Folders;
  readonly #teams: TreeTeams;
  readonly #access: AccessRules;

  constructor(found: readonly Found[], options: TreeOptions, people: People) {
    this.#found = found;
    this.#options = options;
    this.leftOut = [...this.#of('left out')];
    const lists = this.#of('permissions').filter(({ slug, uid }) => slug !== '' && uid !== '');
    const uids = new Map(lists.map(({ slug, uid }) => [slug, uid]));
    this.#folders = new Folders(this.#of('folder'), options.folder, uids);
    this.#teams = new TreeTeams(this.#of('team'), people);
    this.#access = new AccessRules(this.#of('permissions'), this.#folders, { people, teams: this.#teams });
  }

  run(): void {
    const dashboards = this.#of('dashboard').map((found) => this.#contentOf(found));
    const elements = this.#elements(dashboards.flatMap(({ elements: along }) => along));
    // Before the folders are made: a path alone makes one, too.
    for (const { place, origin } of [...elements, ...this.#of('dashboard'), ...this.#of('rule')])
      this.#folders.nameAt(place, origin);
    this.#addTeams();
    this.#addFolders();
    for (const element of elements)
      this.#add('dashboard', 'LibraryElement', element.uid, element, elementSpec(element));
    for (const { found, name, spec } of dashboards)
      this.#addDashboard(found, name, dashboardSpec(withoutExport(spec), found.origin));
    for (const rule of this.#of('rule')) this.#addRule(rule);
    for (const { origin, name, spec } of this.#access.bindings) this.#push('iam', 'RoleBinding', name, origin, spec);
    this.leftOut.push(...this.#access.leftOut, ...this.#access.unused);
  }

  #of<What extends Found['what']>(what: What): readonly Of<What>[] {
    return this.#found.filter((one): one is Of<What> => one.what === what);
  }

  #contentOf(found: FoundDashboard) {
    const { dashboard, origin, place } = found;
    const { spec, open } = contentWith(dashboard, this.#options.inputs);
    if (open.length > 0) this.warnings.push(openInputs(origin, open));
    const uid = typeof dashboard['uid'] === 'string' ? dashboard['uid'] : '';
    return { found, spec, name: uid || uidOfFile(origin), elements: elementsOf(spec, origin, place) };
  }

  /** Those of files come before those that came along with dashboards, of which the first one counts. */
  #elements(along: readonly FoundElement[]): readonly FoundElement[] {
    const own = this.#of('element').map((element) => ({ ...element, uid: element.uid || uidOfFile(element.origin) }));
    const known = new Map(own.map((element) => [element.uid, element]));
    const more = along.filter((element) => {
      const first = known.get(element.uid);
      if (first === undefined) known.set(element.uid, element);
      else if (!isSame(first, element))
        this.warnings.push(
          `The library element ${element.uid} differs in ${first.origin} and ${element.origin}. That of ${first.origin} is taken.`,
        );
      return first === undefined;
    });
    return [...own, ...more];
  }

  #addTeams(): void {
    for (const { name, origin, spec } of this.#teams.objects) this.#push('iam', 'Team', name, origin, spec);
    const { bindings, unknown } = this.#teams.members(this.#of('member'));
    for (const { name, origin, spec } of bindings) this.#push('iam', 'TeamBinding', name, origin, spec);
    this.leftOut.push(...unknown);
  }

  #addFolders(): void {
    const open = this.#folders.all.filter(({ name }) => !this.#access.hasList(name));
    for (const folder of this.#folders.all) {
      const { name, parent, origin } = folder;
      const { isPrivate } = this.#access.ofFolder(name);
      this.#push('folder', 'Folder', checked(name, origin), origin, folderSpec(folder), parent, isPrivate);
    }
    if (open.length > 0) this.warnings.push(withoutLists(open.map(({ title }) => title)));
  }

  #addDashboard(found: FoundDashboard, name: string, spec: object): void {
    const folder = this.#folders.nameAt(found.place, found.origin);
    const { isPrivate } = this.#access.ofDashboard(name, folder);
    this.#push('dashboard', 'Dashboard', checked(name, found.origin), found.origin, spec, folder, isPrivate);
  }

  #addRule(rule: Of<'rule'>): void {
    const { origin, value, place } = rule;
    const folder = this.#folders.nameAt(place, origin);
    if (folder === undefined) {
      this.leftOut.push(leftOut(origin, 'an alert rule lies in a folder, and its file names none'));
      return;
    }
    const uid = typeof value['uid'] === 'string' ? value['uid'] : '';
    this.#push(
      'rules.alerting',
      'AlertRule',
      checked(uid || uidOfFile(origin), origin),
      origin,
      ruleSpec(rule),
      folder,
    );
  }

  #add(
    group: string,
    kind: string,
    name: string,
    at: { readonly origin: string; readonly place: Place },
    spec: object,
  ) {
    this.#push(group, kind, checked(name, at.origin), at.origin, spec, this.#folders.nameAt(at.place, at.origin));
  }

  #push(group: string, kind: string, name: string, origin: string, spec: object, folder?: string, isPrivate?: boolean) {
    const { domain } = this.#options;
    const annotations = {
      ...(folder !== undefined && { [folderAnnotation(domain)]: folder }),
      ...(isPrivate === true && { [basicRolesAnnotation(domain)]: NO_BASIC_ROLES }),
    };
    const metadata = { name, ...(Object.keys(annotations).length > 0 && { annotations }) };
    const manifest: Manifest = { apiVersion: `${group}.${domain}/v1beta1`, kind, metadata, spec };
    this.objects.push({ manifest, origin });
  }
}

function checked(name: string, origin: string): string {
  if (name.length <= UID_NAMES.maxLength && UID_NAMES.pattern.test(name)) return name;
  const rule = `it has at most ${UID_NAMES.maxLength} characters, and ${UID_NAMES.patternMessage}`;
  throw new Error(`${origin}: ${JSON.stringify(name)} cannot be a uid: ${rule}. Set another uid.`);
}

const isSame = (one: FoundElement, other: FoundElement): boolean =>
  canonicalJson(one.value['model']) === canonicalJson(other.value['model']);

function openInputs(origin: string, open: readonly string[]): string {
  return `${origin} has placeholders without values, such as \${${open[0]}}. Give them: --input=${open[0]}=VALUE`;
}

function withoutLists(titles: readonly string[]): string {
  const some = titles
    .slice(0, 5)
    .map((title) => JSON.stringify(title))
    .join(', ');
  return `The tree has no permissions of ${titles.length} folders, such as ${some}. Viewers and Editors have there what they have above.`;
}
