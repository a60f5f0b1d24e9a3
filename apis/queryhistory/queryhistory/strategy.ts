import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { type GroupResource, quotaExceeded } from '../../../pkg/kube/status/errors.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { groupName } from '../../../registry/kinds/kind.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { withAnnotation } from '../../../registry/kinds/with-annotation.js';
import { isUser } from '../../iam/names.js';
import { BY_OWNER, MEMBERSHIP, MOST_ITEMS, MOST_QUERY_CHARACTERS, type QueryHistorySpec } from './schema.js';

/**
 * The server notes the membership of the user who creates an item, and the item ends with it. Every member may write
 * items, so their size and their number are bounded: otherwise a viewer could fill the disk.
 */
export function queryHistoryStrategy(domain: string): Strategy<QueryHistorySpec> {
  const bindings = resourceName('iam/organizationbindings', domain);
  const gr = { group: groupName('queryhistory', domain), resource: 'queryhistories' };
  const key = `${domain}/${MEMBERSHIP}`;
  return {
    prepareForCreate: (item, { user, reader, namespace }) => {
      const membership = isUser(user, user.uid) ? reader.get(bindings, namespace, user.uid) : undefined;
      return withAnnotation(item, key, membership?.metadata.uid);
    },
    prepareForUpdate: (sent, old) => withAnnotation(sent, key, old.metadata.annotations?.[key]),
    validate: (item, old, ctx) => {
      if (old === undefined) checkNumber(item, ctx, gr);
      const size = sizeOf(item);
      // Items that are larger already can still get a star or a comment.
      return size > MOST_QUERY_CHARACTERS && (old === undefined || size > sizeOf(old)) ? [TOO_LONG] : [];
    },
  };
}

const TOO_LONG: StatusCause = {
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${MOST_QUERY_CHARACTERS} characters of JSON`,
  field: 'spec.queries',
};

function sizeOf({ spec }: KubeObject<QueryHistorySpec>): number {
  return JSON.stringify(spec?.queries ?? []).length;
}

function checkNumber({ metadata }: KubeObject, { user, reader, namespace }: WriteContext, gr: GroupResource): void {
  const owner = [namespace, `user:${user.uid}`];
  const [counted] = reader.counts(`${gr.resource}.${gr.group}`, BY_OWNER, owner, owner.length);
  if ((counted?.count ?? 0) < MOST_ITEMS) return;
  const why = `nobody keeps more than ${MOST_ITEMS} items. Delete some, or wait until those without a star expire`;
  throw quotaExceeded(gr, metadata.name, why);
}
