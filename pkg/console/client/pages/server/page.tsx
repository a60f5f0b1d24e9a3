import { Empty } from '../../ui/states.js';

export function ServerPage() {
  return (
    <div class="page">
      <h1>Server</h1>
      <Empty title="Not there yet" />
    </div>
  );
}
