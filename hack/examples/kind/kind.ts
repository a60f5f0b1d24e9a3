import { fold } from '../../../pkg/kube/meta/fold.js';
import { column, field } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import { BY_TITLE, PlaylistSpec } from './schema.js';
import { playlistStrategy } from './strategy.js';

export function playlist(environment: KindEnvironment): Kind<PlaylistSpec> {
  return defineKind<PlaylistSpec>(environment, {
    identity: {
      group: 'playlist',
      version: 'v1beta1',
      kind: 'Playlist',
      resource: 'playlists',
      singular: 'playlist',
      scope: 'Namespaced',
      description: 'Playlist shows dashboards one after another.',
      spec: PlaylistSpec,
      names: UID_NAMES,
    },
    storage: {
      indexers: {
        [BY_TITLE]: ({ metadata, spec }) => [[metadata.namespace ?? '', fold((spec as PlaylistSpec).title)]],
      },
      uniques: { [BY_TITLE]: { field: 'spec.title', message: 'another playlist of the organization has this title' } },
    },
    access: {
      permissions: {
        get: ['playlists:read'],
        create: ['playlists:create'],
        update: ['playlists:write'],
        delete: ['playlists:delete'],
        scopes: ({ metadata }) => [`playlists:uid:${metadata.name}`],
      },
    },
    serving: {
      columns: [
        column<PlaylistSpec>('Title', 'Name shown to people', ({ title }) => title),
        column<PlaylistSpec>('Interval', 'Seconds for each dashboard', ({ interval }) => String(interval)),
      ],
      selectableFields: { 'spec.title': field<PlaylistSpec>(({ title }) => title) },
      searchText: ({ spec }) => fold((spec as PlaylistSpec).title),
    },
    strategy: playlistStrategy,
  });
}
