variable "alerts_paused" {
  description = "With true, no alert rule is evaluated."
  type        = bool
  default     = false
}

resource "kubectl_manifest" "checkout_slow" {
  yaml_body = yamlencode({
    apiVersion = "rules.alerting.svc.app/v1beta1"
    kind       = "AlertRule"
    metadata = {
      name        = "checkout-slow"
      namespace   = var.namespace
      annotations = { "svc.app/folder" = "shop-checkout" }
    }
    spec = {
      title     = "Checkout is slow"
      ruleGroup = "checkout"
      interval  = 60
      condition = "A"
      for       = "5m"
      isPaused  = var.alerts_paused
      data = [{
        refId             = "A"
        relativeTimeRange = { from = 600, to = 0 }
        datasourceUid     = "prometheus"
        model             = { expr = "checkout_seconds > 2", refId = "A" }
      }]
      labels      = { severity = "page" }
      annotations = { summary = "Half of the customers wait for longer than two seconds." }
    }
  })
  depends_on = [kubectl_manifest.folder]
}
