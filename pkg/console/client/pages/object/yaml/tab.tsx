import type { Resource } from '../../../lib/discovery.js';

export function YamlTab(_: { readonly resource: Resource; readonly namespace: string; readonly name: string }) {
  return null;
}
