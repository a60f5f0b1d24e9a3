import type { Strategy } from '../../../registry/strategy.js';
import { withAnnotation } from '../../folder/placement.js';
import { isUser, resourceName } from '../../iam/names.js';
import { MEMBERSHIP, type QueryHistorySpec } from './schema.js';

/** The server notes the membership of the user who creates an item, and the item ends with it. */
export function queryHistoryStrategy(domain: string): Strategy<QueryHistorySpec> {
  const bindings = resourceName('organizationbindings', domain);
  const key = `${domain}/${MEMBERSHIP}`;
  return {
    prepareForCreate: (item, { user, reader, namespace }) => {
      const membership = isUser(user, user.uid) ? reader.get(bindings, namespace, user.uid) : undefined;
      return withAnnotation(item, key, membership?.metadata.uid);
    },
    prepareForUpdate: (sent, old) => withAnnotation(sent, key, old.metadata.annotations?.[key]),
  };
}
