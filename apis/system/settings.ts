import type { LegacyCall } from '../../registry/legacy/call.js';
import { accessDenied } from '../../registry/legacy/errors.js';

/** The settings of the server as callers may see them: values by section and name, with masked secrets. */
export type ShownSettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

const ACTION = 'settings:read';

export function shownTo(call: LegacyCall, settings: ShownSettings): ShownSettings {
  if (!call.objects('Organization').may(ACTION)) throw accessDenied([ACTION]);
  return settings;
}
