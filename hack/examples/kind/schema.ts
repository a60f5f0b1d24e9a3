import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';
import { line, objectName } from '../../../registry/kinds/fields.js';

const MOST_ITEMS = 100;

export const PlaylistSpec = z
  .strictObject({
    title: line(190).min(1, 'must not be empty').describe('Name shown to people.'),
    interval: z.int().min(1).max(86_400).default(60).describe('Seconds that each dashboard is shown.'),
    dashboards: arrayOf(objectName(), MOST_ITEMS)
      .default([])
      .meta({ description: 'metadata.name of the dashboards, in their order.', default: [] }),
    shareToken: line(190).optional().describe('Who knows it may watch the playlist on a screen.'),
  })
  .meta({ id: 'PlaylistSpec', description: 'What a playlist shows.' });
export type PlaylistSpec = z.infer<typeof PlaylistSpec>;

/** Playlists by namespace and folded title. */
export const BY_TITLE = 'byTitle';
