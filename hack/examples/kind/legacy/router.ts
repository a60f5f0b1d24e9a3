import { z } from 'zod';
import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import type { ObjectClient } from '../../../../registry/client/objects.js';
import { answer, listOf } from '../../../../registry/legacy/answers.js';
import type { LegacyCall, LegacyServices } from '../../../../registry/legacy/call.js';
import { type ErrorRule, requireAction } from '../../../../registry/legacy/errors.js';
import { deleted, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import { each, okArray } from '../../../../registry/legacy/stream.js';
import { BY_TITLE, type PlaylistSpec } from '../schema.js';

const newUid = ulidGenerator();

const Body = z.object({
  name: z.string(),
  interval: z.number().optional(),
  dashboards: z.array(z.string()).optional(),
});

/** What the documentation says of answers. */
const PLAYLIST = answer('Playlist', 'A list of dashboards that are shown in turn.', () => ({
  uid: z.string(),
  name: z.string(),
  interval: z.number().optional(),
  dashboards: z.array(z.string()).optional(),
}));

const ERRORS: readonly ErrorRule[] = [
  { field: 'spec.title', cause: 'FieldValueDuplicate', status: 409, body: { message: 'Playlist name taken' } },
  { code: 404, status: 404, body: { message: 'Playlist not found' } },
];

/** `/api/playlists`. */
export function playlistRouter(services: LegacyServices): LegacyRouter {
  return legacyRouter(
    services,
    routes(
      { errors: ERRORS, fallback: 'Failed to save playlist', notes: { uid: 'The uid of the playlist.' } },
      {
        'GET /playlists': { answer: listOf(PLAYLIST), summary: 'Lists playlists', handle: list },
        'POST /playlists': { answer: PLAYLIST, summary: 'Creates a playlist', body: Body, handle: create },
        'GET /playlists/:uid': { single: true, answer: PLAYLIST, summary: 'Reads a playlist', handle: read },
        'PUT /playlists/:uid': { answer: PLAYLIST, summary: 'Changes a playlist', body: Body, handle: update },
        'DELETE /playlists/:uid': { summary: 'Deletes a playlist', handle: remove },
      },
    ),
  );
}

const playlistsOf = (call: LegacyCall): ObjectClient<PlaylistSpec> => call.objects<PlaylistSpec>('playlist/Playlist');

function dto({ metadata, spec }: KubeObject<PlaylistSpec>) {
  return { uid: metadata.name, name: spec?.title, interval: spec?.interval, dashboards: spec?.dashboards };
}

function specOf({ name, interval, dashboards }: z.infer<typeof Body>): PlaylistSpec {
  return { title: name, ...(interval && { interval }), ...(dashboards && { dashboards }) } as PlaylistSpec;
}

const list: LegacyHandler = (call) =>
  okArray(each(playlistsOf(call).list({ index: BY_TITLE, prefix: [call.organization.namespace] }), dto));

const read: LegacyHandler = (call) => ok(dto(playlistsOf(call).get(call.param('uid'))));

const create: LegacyHandler = async (call) => {
  const playlists = playlistsOf(call);
  requireAction(playlists, 'playlists:create');
  return ok(dto(await playlists.create({ metadata: { name: newUid() }, spec: specOf(call.body(Body)) })));
};

const update: LegacyHandler = async (call) => {
  const playlists = playlistsOf(call);
  const { name } = playlists.getFor('update', call.param('uid')).metadata;
  const spec = specOf(call.body(Body));
  return ok(dto(await playlists.update(name, (old) => ({ ...old, spec: { ...(old.spec as PlaylistSpec), ...spec } }))));
};

const remove: LegacyHandler = async (call) => {
  const playlists = playlistsOf(call);
  const { name } = playlists.getFor('delete', call.param('uid')).metadata;
  return deleted(await playlists.delete(name), 'Playlist deleted');
};
