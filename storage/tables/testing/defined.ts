import type { DefinedResources } from '../../state/definitions.js';
import type { ResourceDefinition } from '../../state/resource.js';
import { DEFINITIONS, key, NOTES } from '../../testing/engine/resources.js';

const [LIKE] = DEFINITIONS as [ResourceDefinition];

function plain(resource: string): ResourceDefinition {
  return { ...LIKE, resource };
}

/** A note defines the resource that has its name. */
export const BY_NOTES: DefinedResources = {
  find: (resource, state) => (state.resource(NOTES).get(key(NOTES, resource)) ? plain(resource) : undefined),
  all: function* (state) {
    for (const entry of state.resource(NOTES).entries('', '~')) yield plain(entry.key.slice(key(NOTES, '').length));
  },
  plain,
};
