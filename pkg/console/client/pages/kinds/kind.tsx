import { Empty } from '../../ui/states.js';

export function KindPage() {
  return (
    <div class="page">
      <h1>Kind</h1>
      <Empty title="Not there yet" />
    </div>
  );
}
