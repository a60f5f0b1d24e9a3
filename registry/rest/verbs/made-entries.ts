import type { ApiRequest } from '../../../pkg/http/handler.js';
import type { UserInfo } from '../../../pkg/identity/authn/user.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { keyOf } from '../../../storage/key.js';
import { encodeText, textOfObject } from '../../../storage/state/codec.js';
import { type Entry, MemoryEntry } from '../../../storage/state/entry.js';
import { entryAttributes } from '../../kinds/authorizer.js';
import type { Kind, Question } from '../../kinds/kind.js';
import { newestEntry } from '../../kinds/orphans.js';
import {
  CONTAINER_INDEX,
  containedKinds,
  containerTuple,
  type Registry,
  resourceDefinition,
} from '../../kinds/registry.js';
import type { Report } from '../../kinds/reports.js';
import { objectOf } from '../../read/reader.js';
import { timestamp } from '../../write/metadata.js';
import type { ListOptions } from '../options/query.js';
import { parseSelection } from '../options/selection.js';
import type { VerbTarget } from '../verb.js';

/** The objects that the kind makes for this list, as if they were stored, also for the permissions (docs/adr/0030). */
export function madeEntries(request: ApiRequest, target: VerbTarget, options: ListOptions): readonly Entry[] {
  const { kind, registry } = target;
  if (kind.madeFor === undefined || options.fieldSelector === '') return [];
  const selection = parseSelection(kind, options.labelSelector, options.fieldSelector);
  const question: Question = {
    time: timestamp(registry.clock.now()),
    required: (field) => selection.required(field),
    describe: (about) => described(request, target, about),
  };
  const attributes = { user: request.user, verb: 'list', kind, namespace: target.info.namespace };
  const visible = registry.authorizer.readFilter(attributes, registry.reader);
  return kind
    .madeFor(question)
    .map((object) => entryOf(kind, object, registry.cacher.state.revision))
    .filter((entry) => selection.matches(entry) && visible.allows(entry));
}

function entryOf(kind: Kind, object: KubeObject, revision: number): Entry {
  const { name, namespace = '' } = object.metadata;
  const key = keyOf(kind.qualified, namespace, name);
  const { extract } = resourceDefinition(kind);
  return new MemoryEntry(key, revision, encodeText(textOfObject(object), revision), extract(object, key));
}

type About = Parameters<Question['describe']>[0];

/** Empty if the caller may not view the object, or if the object has another uid than the caller asks for. */
function described({ user }: ApiRequest, { registry, info }: VerbTarget, about: About): readonly Report[] {
  const { namespace } = info;
  const kind = registry.kinds.find((kind) => kind.kind === about.kind && kind.reports?.described !== undefined);
  const entry = kind && newestEntry(registry, kind, namespace, about.name);
  if (kind === undefined || entry === undefined) return [];
  const { authorizer, reader } = registry;
  const attributes = { user, verb: 'get', kind, namespace };
  const object = objectOf(entry);
  if (object.metadata.uid !== about.uid || !authorizer.readFilter(attributes, reader).allows(entry)) return [];
  const may = (action: string): boolean => authorizer.hasAction(attributes, action, entryAttributes(entry), reader);
  const contents = contentsOf(registry, kind, namespace, about.name, user);
  const happenings = kind.reports?.described?.(object, { reader, namespace, contents, may }) ?? [];
  const { apiVersion } = kind;
  return happenings.map((happening) => ({
    ...happening,
    about: { apiVersion, kind: kind.kind, namespace, name: about.name },
    uid: about.uid,
  }));
}

/** Counts what the caller may view. If that is everything, it counts rows of an index and reads no objects. */
function contentsOf(
  registry: Registry,
  container: Kind,
  namespace: string,
  name: string,
  user: UserInfo,
): ReadonlyMap<string, number> {
  const { reader, authorizer } = registry;
  const tuple = containerTuple(namespace, name);
  const contents = new Map<string, number>();
  for (const kind of containedKinds(registry, container)) {
    const filter = authorizer.readFilter({ user, verb: 'list', kind, namespace }, reader);
    let sum = 0;
    if (filter.all) for (const { count } of reader.counts(kind.qualified, CONTAINER_INDEX, tuple)) sum += count;
    else for (const entry of reader.walk(kind.qualified, CONTAINER_INDEX, tuple)) sum += filter.allows(entry) ? 1 : 0;
    if (sum > 0) contents.set(kind.resource, sum);
  }
  return contents;
}
