import { MASTERS_GROUP, type UserInfo } from '../../../pkg/identity/authn/user.js';
import { isSameJson } from '../../../pkg/kube/json/same.js';
import { ignoreExisting } from '../../../pkg/kube/status/errors.js';
import { Client } from '../../../registry/client/client.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import type { Registry } from '../../../registry/kinds/registry.js';
import { BUILT_IN } from '../names.js';
import { builtInSpec, nameOfBuiltIn } from './built-in.js';
import { withDefaults } from './defaults.js';

const SERVER: UserInfo = { name: 'system:apiserver', uid: '', groups: [MASTERS_GROUP], extra: {} };

/**
 * Stores the definitions of the kinds that are compiled in, as this server knows them. Clients such as Terraform, k9s
 * and Headlamp look for kinds there.
 */
export async function showBuiltIn(registry: Registry): Promise<void> {
  const client = new Client(registry, { user: SERVER, isTrusted: true });
  const definitions = registry.compiled.get('apiextensions.k8s.io/CustomResourceDefinition');
  for (const kind of registry.kinds) if (kind.definedBy === undefined) await show(client, definitions, kind);
}

async function show(client: Client, definitions: Kind, kind: Kind): Promise<void> {
  const name = nameOfBuiltIn(kind);
  if (name === undefined) return;
  const { apiVersion } = definitions;
  const spec = withDefaults(builtInSpec(kind));
  const known = client.registry.reader.get(definitions.qualified, '', name);
  // By this label, programs that save definitions can leave these out.
  const labels = { ...known?.metadata.labels, ...kind.shownLabels, [`${kind.domain}/${BUILT_IN}`]: 'true' };
  if (isSameJson(known?.spec, spec) && isSameJson(known?.metadata.labels, labels)) return;
  const object = { apiVersion, kind: definitions.kind, metadata: { name, labels }, spec };
  // Another server may do the same at the same time.
  if (known === undefined) await client.create(definitions, '', object).catch(ignoreExisting);
  else await client.update(definitions, '', name, (old) => ({ ...old, metadata: { ...old.metadata, labels }, spec }));
}
