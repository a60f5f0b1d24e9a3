import { Empty } from '../../ui/states.js';

export function PlanPage() {
  return (
    <div class="page">
      <h1>Plan</h1>
      <Empty title="Not there yet" />
    </div>
  );
}
