import { z } from 'zod';
import { isTerminating } from '../../../../pkg/kube/meta/types.js';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import type { ObjectClient } from '../../../../registry/client/objects.js';
import { UID_NAMES } from '../../../../registry/kinds/names.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { deleted, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import type { ConfiguredServices } from '../../../environment.js';
import { caller } from '../../../iam/legacy/people.js';
import { ownersIn, secondsOf } from '../kind.js';
import type { QueryHistorySpec } from '../schema.js';
import { HISTORY_DELETED, HISTORY_ENTRY, HISTORY_PAGE } from './answers.js';
import { HISTORY_NOTES } from './notes.js';
import { queryOf } from './query.js';
import { type Item, searchItems } from './search.js';

const NewBody = z.object({ datasourceUid: z.string().min(1), queries: z.array(z.looseObject({})) });
const CommentBody = z.object({ comment: z.string() });

/** Later names are larger, which orders the items of the same second. */
const newUid = ulidGenerator();

const itemsOf = (call: LegacyCall): ObjectClient<QueryHistorySpec> =>
  call.objects<QueryHistorySpec>('queryhistory/QueryHistory');

/** What answers have of an item, and callers send back. */
const ANSWERED = ['uid', 'createdBy', 'createdAt', 'datasourceUid', 'comment', 'starred', 'queries'];

/** `/api/query-history`: what the caller asked before. */
export function queryHistoryRouter(services: ConfiguredServices): LegacyRouter {
  const table = (fallback: string, handlers: Parameters<typeof routes>[1]) =>
    routes({ notes: HISTORY_NOTES, peopleOnly: true, fallback, answerMembers: ANSWERED }, handlers);
  return legacyRouter(
    services,
    table('Failed to create query history', {
      'POST /query-history': {
        answer: HISTORY_ENTRY,
        summary: 'Keeps what the caller asked',
        body: NewBody,
        handle: create,
      },
    }),
    table('Failed to get query history', {
      'GET /query-history': {
        answer: HISTORY_PAGE,
        summary: 'Searches what the caller asked before',
        query: ['datasourceUid', 'searchString', 'onlyStarred', 'sort', 'page', 'limit', 'from', 'to'],
        lists: ['datasourceUid'],
        handle: search,
      },
    }),
    table(STAR, {
      'POST /query-history/star/:uid': {
        answer: HISTORY_ENTRY,
        summary: 'Stars an item of the query history',
        handle: star(true, STAR),
      },
    }),
    table(UNSTAR, {
      'DELETE /query-history/star/:uid': {
        answer: HISTORY_ENTRY,
        summary: 'Removes the star of an item of the query history',
        handle: star(false, UNSTAR),
      },
    }),
    table(COMMENT, {
      'PATCH /query-history/:uid': {
        answer: HISTORY_ENTRY,
        summary: 'Changes the comment of an item of the query history',
        body: CommentBody,
        handle: comment,
      },
    }),
    table(DELETE, {
      'DELETE /query-history/:uid': {
        answer: HISTORY_DELETED,
        summary: 'Deletes an item of the query history',
        handle: remove,
      },
    }),
  );
}

const STAR = 'Failed to star query in query history';
const UNSTAR = 'Failed to unstar query in query history';
const COMMENT = 'Failed to update comment of query in query history';
const DELETE = 'Failed to delete query from query history';

const create: LegacyHandler = async (call) => {
  const user = caller(call);
  const { datasourceUid, queries } = call.body(NewBody);
  const spec = { datasourceUid, queries, comment: '', starred: false };
  return shown(await itemsOf(call).create({ metadata: { name: newUid() }, spec }), userIdOf(call, user));
};

const search: LegacyHandler = async (call) => {
  const user = caller(call);
  const id = userIdOf(call, user);
  requireMembership(call);
  const query = queryOf(call);
  const { totalCount, items } = await searchItems(itemsOf(call), `user:${user.metadata.name}`, query);
  const queryHistory = items.map((item) => itemDto(item, id));
  return ok({ result: { totalCount, page: query.page, perPage: query.limit, queryHistory } });
};

/** Throws 403. A caller who may make items in the organization may see their own. */
function requireMembership(call: LegacyCall): void {
  const items = itemsOf(call);
  const { apiVersion, kind } = items.kind;
  items.authorize('create', { apiVersion, kind, metadata: { name: '' } });
}

/** Fails if the item has the star already, or has none to take away. */
const star =
  (starred: boolean, failure: string): LegacyHandler =>
  (call) =>
    change(call, failure, (spec) => {
      if (spec.starred === starred) throw plainFailure(400, failure);
      return { ...spec, starred };
    });

const comment: LegacyHandler = (call) => {
  const body = call.body(CommentBody);
  return change(call, COMMENT, (spec) => ({ ...spec, ...body }));
};

const remove: LegacyHandler = async (call) => {
  const { metadata } = ownItem(call, DELETE);
  const item = await itemsOf(call).delete(metadata.name);
  return deleted(item, 'Query deleted', { id: itemsOf(call).idOf(item) });
};

async function change(call: LegacyCall, failure: string, next: (spec: QueryHistorySpec) => QueryHistorySpec) {
  const { metadata } = ownItem(call, failure);
  const changed = await itemsOf(call).update(metadata.name, (old) => ({
    ...old,
    spec: next(old.spec as QueryHistorySpec),
  }));
  return shown(changed, userIdOf(call, caller(call)));
}

/** The item of the path. Items of others are treated like unknown ones. Throws 404 with the words of the route. */
function ownItem(call: LegacyCall, failure: string): Item {
  const owner = `user:${caller(call).metadata.name}`;
  const uid = call.param('uid');
  if (!UID_NAMES.pattern.test(uid)) throw plainFailure(404, 'Query in query history not found');
  const item = uid.length <= UID_NAMES.maxLength ? itemsOf(call).find(uid) : undefined;
  if (item === undefined || isTerminating(item) || ownersIn(itemsOf(call).kind.domain)(item) !== owner)
    throw plainFailure(404, failure);
  return item;
}

function userIdOf(call: LegacyCall, user: ReturnType<typeof caller>): number {
  return call.objects('iam/User').idOf(user);
}

function shown(item: Item, createdBy: number) {
  return ok({ result: itemDto(item, createdBy) });
}

function itemDto(item: Item, createdBy: number): unknown {
  const { metadata, spec } = item;
  return { uid: metadata.name, createdBy, createdAt: secondsOf(item), ...spec };
}
