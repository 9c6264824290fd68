# A campaign: each system's scores in a file of its own, and all of them in one. Run it where the paths of the
# settings start: make -f docs/how-to/campaign.mk
SETTINGS ?= fixtures/demo/settings.xml
SYSTEMS ?= extract lead random
OPTIONS ?= -n 2 -m -2 4 -u
OUT ?= build/campaign

CAMPAIGN := $(lastword $(MAKEFILE_LIST))
SCORES := $(SYSTEMS:%=$(OUT)/%.out)
# Checks the settings, and writes which summaries this system needs (.d) and which part of the settings (.xml);
# a part that has not changed keeps its time.
CHECK = rouge-cli settings --check $(SETTINGS) --system $* -o $(OUT)/$*.xml \
	--depfile $(OUT)/$*.d --target $(OUT)/$*.out
export SETTINGS SYSTEMS OPTIONS

.DELETE_ON_ERROR:
.PHONY: all clean FORCE
all: $(OUT)/campaign.out

$(OUT)/campaign.out: $(SCORES) $(OUT)/SYSTEMS
	cat $(SCORES) > $@

# Checked again, since summaries change without the settings; a missing one stops make.
$(OUT)/%.out: $(OUT)/OPTIONS $(CAMPAIGN) | $(OUT)/%.d
	$(CHECK)
	ROUGE-1.5.5.pl $(OPTIONS) $(OUT)/$*.xml $* > $@

# Included below, and so made before all else, when it is not there or older than the settings.
$(OUT)/%.d: $(SETTINGS) $(OUT)/SETTINGS
	@mkdir -p $(@D)
	$(CHECK)

# Each holds the variable of its name, and is written when that changes, on the command line too.
$(OUT)/SETTINGS $(OUT)/SYSTEMS $(OUT)/OPTIONS: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$${$(@F)}" | cmp -s - $@ || printf '%s\n' "$${$(@F)}" > $@

clean:
	rm -rf $(OUT)

ifneq ($(MAKECMDGOALS),clean)
include $(SCORES:.out=.d)
endif
