"""Jobs around scores: what people do with ROUGE besides scoring."""
