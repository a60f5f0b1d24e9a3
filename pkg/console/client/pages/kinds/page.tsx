import { Empty } from '../../ui/states.js';

export function KindsPage() {
  return (
    <div class="page">
      <h1>Kinds</h1>
      <Empty title="Not there yet" />
    </div>
  );
}
