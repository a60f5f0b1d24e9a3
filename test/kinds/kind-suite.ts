import { type KindExamples, KUBERNETES_ANSWERS, type Need } from '../../apis/testing/kind-examples.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { accepted, freshName, resourceOf } from '../harness/resource.js';
import type { Server, ServerOptions } from '../harness/server.js';
import { eachStore, oneStore } from '../harness/stores.js';
import { applying } from './suite/applying.js';
import { creating } from './suite/creating.js';
import { deleting } from './suite/deleting.js';
import { fields } from './suite/fields.js';
import { finalizing } from './suite/finalizing.js';
import { listing } from './suite/listing.js';
import { patching } from './suite/patching.js';
import { representing } from './suite/representing.js';
import { roundTripping } from './suite/round-tripping.js';
import { serverOwned } from './suite/server-owned.js';
import { status } from './suite/status.js';
import type { Subject } from './suite/subject.js';
import { updating } from './suite/updating.js';
import { watching } from './suite/watching.js';

const PARTS: readonly ((subject: Subject) => void)[] = [
  creating,
  updating,
  patching,
  applying,
  deleting,
  finalizing,
  serverOwned,
  fields,
  listing,
  watching,
  representing,
  roundTripping,
  status,
];

/**
 * The parts about generic code, which has no branch for a kind. What a kind can get wrong in them is data, and the
 * other parts would show it.
 */
const GENERIC = [patching, applying, deleting, finalizing, serverOwned, listing, watching];

/** The parts that change no spec. */
const WITHOUT_CHANGES = [creating, deleting, finalizing, fields];

export interface KindSuiteOptions extends ServerOptions {
  /** Whether to run on every store. */
  readonly onEveryStore?: boolean;
  /** Whether the parts about generic code run, too. The default is true. */
  readonly runsGeneric?: boolean;
  /** Parts for this kind only. */
  readonly more?: readonly ((subject: Subject) => void)[];
}

const qualifiedName = ({ resource, group }: Kind): string => (group === '' ? resource : `${resource}.${group}`);

/** Tests the behaviour that all served kinds share. */
export function kindSuite(kind: Kind, examples: KindExamples, options: KindSuiteOptions = {}): void {
  const { onEveryStore = false, runsGeneric = true, more = [], ...rest } = options;
  const parts = examples.hasFixedSpec === true ? WITHOUT_CHANGES : PARTS;
  const chosen = runsGeneric ? parts : parts.filter((part) => !GENERIC.includes(part));
  const suite = (server: () => Server): void => {
    let number = 0;
    const name = (): string => examples.nameOf?.(++number) ?? freshName();
    const { answers = KUBERNETES_ANSWERS } = examples;
    const subject: Subject = { server, kind, examples, resource: resourceOf(server, kind), answers, name };
    before('create the objects that the examples refer to', async function prepare() {
      this.timeout(120_000);
      const create = ({ path, body }: Need) => server().call('POST', path, { body });
      for (const answer of await Promise.all((examples.needs ?? []).map(create))) accepted(answer, 201);
    });
    for (const part of [...chosen, ...more]) part(subject);
  };
  (onEveryStore ? eachStore : oneStore)(`kind ${qualifiedName(kind)}`, suite, rest);
}
