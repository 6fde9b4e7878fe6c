job "shop" {
  ui {
    description = "The **shop**."

    link {
      label = "Manual"
      url   = "https://example.org/manual"
    }

    link {
      label = "Board"
      url   = "https://example.org/board?a=1&b=<2>"
    }
  }
}
