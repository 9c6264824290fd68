# A campaign: each system's scores in a file of its own, and all of them in one. Run it where the paths of the
# settings start: make -f docs/campaign.mk
SETTINGS ?= fixtures/demo/settings.xml
SYSTEMS ?= extract lead random
OPTIONS ?= -n 2 -m -2 4 -u
OUT ?= build/campaign

CAMPAIGN := $(lastword $(MAKEFILE_LIST))
SCORES := $(SYSTEMS:%=$(OUT)/%.out)

.DELETE_ON_ERROR:
.PHONY: all clean
all: $(OUT)/campaign.out

$(OUT)/campaign.out: $(SCORES)
	cat $(SCORES) > $@

# The check stops make at settings that cannot be scored, and writes down which summaries this system needs.
$(OUT)/%.out: $(SETTINGS) $(CAMPAIGN)
	mkdir -p $(@D)
	rouge-cli settings --check $(SETTINGS) --depfile $@.d --target $@ --system $*
	ROUGE-1.5.5.pl $(OPTIONS) $(SETTINGS) $* > $@

clean:
	rm -rf $(OUT)

-include $(SCORES:=.d)
