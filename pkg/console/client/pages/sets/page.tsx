import { Empty } from '../../ui/states.js';

export function SetsPage() {
  return (
    <div class="page">
      <h1>Sets</h1>
      <Empty title="Not there yet" />
    </div>
  );
}
