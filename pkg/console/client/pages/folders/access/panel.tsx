import type { KubeObject } from '../../../lib/object.js';
import { Empty } from '../../../ui/states.js';

export function AccessPanel({ folder }: { readonly folder: KubeObject }) {
  return <Empty title={`Nothing yet for ${folder.metadata.name}`} />;
}
