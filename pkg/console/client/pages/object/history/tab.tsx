import type { Resource } from '../../../lib/discovery.js';

export function HistoryTab(_: { readonly resource: Resource; readonly namespace: string; readonly name: string }) {
  return null;
}
