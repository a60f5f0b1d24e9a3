import { Empty } from '../../../ui/states.js';

export function SignOnTab() {
  return <Empty title="Not there yet" />;
}
